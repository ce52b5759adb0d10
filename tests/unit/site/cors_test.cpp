#include <gmock/gmock.h>

#include "unit/site/every_answer.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* ours = "https://a.example";
const std::string from_ours = std::string{"Origin: "} + ours;
constexpr const char* from_theirs = "Origin: https://evil.example";
constexpr const char* exposed = "Access-Control-Expose-Headers";
constexpr const char* allowed = "Access-Control-Allow-Origin";

class SiteCors : public SiteTest {
   protected:
    void SetUp() override {
        write_for_every_answer(tree);
        tree.write("b.txt", "text");
        tree.write("b.txt.gz", "text");
    }
};

TEST_F(SiteCors, WhatIsNoOriginIsRefused) {
    EXPECT_FALSE(Site::open({.cors_origins = {"example.org"}}));
}

TEST_F(SiteCors, IsOffUnlessAskedFor) {
    const auto site = open({.listing = true});
    for (const auto& [line, field, status] : every_answer) {
        const auto answer = ask(*site, line, {field, from_ours});
        EXPECT_EQ(answer.status, status);
        EXPECT_FALSE(answer.field(allowed)) << status;
        EXPECT_FALSE(answer.field(exposed)) << status;
    }
}

TEST_F(SiteCors, ForAllOriginsIsTheSameForEachOfThem) {
    const auto site = open({.listing = true, .cors_origins = {ours, "*"}});
    for (const auto& [line, field, status] : every_answer) {
        const auto answer = ask(*site, line, {field, from_theirs});
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.field(allowed), "*") << status;
        EXPECT_THAT(*answer.field(exposed), HasSubstr("Content-Range")) << status;
        EXPECT_THAT(answer.field("Vary").value_or(""), Not(HasSubstr("Origin"))) << status;
    }
    const auto kept = ask(*site, "GET /a.txt");
    EXPECT_EQ(kept.field(allowed), "*") << "a cache may keep it for all";
    EXPECT_THAT(kept.field(exposed).value_or(""), HasSubstr("ETag"));
}

TEST_F(SiteCors, ForSomeOriginsNamesTheOneThatAsks) {
    const auto site =
        open({.listing = true, .cors_origins = {"http://localhost:3000", "https://A.example"}});
    for (const auto& [line, field, status] : every_answer) {
        const auto answer = ask(*site, line, {field, from_ours});
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.field(allowed), ours) << status;
        EXPECT_THAT(answer.field("Vary").value_or(""), HasSubstr("Origin")) << status;
    }
    EXPECT_EQ(ask(*site, "GET /a.txt", {"Origin: http://localhost:3000"}).field(allowed),
              "http://localhost:3000");
}

TEST_F(SiteCors, ForSomeOriginsLetsNoOtherInAndVariesAllTheSame) {
    const auto site = open({.listing = true, .cors_origins = {ours}});
    for (const char* const origin :
         {from_theirs, "Origin: null", "Origin: https://a.example.evil.example",
          "Origin: https://a.example:444", "Origin: http://a.example", "X-Z: none"})
        for (const auto& [line, field, status] : every_answer) {
            const auto answer = ask(*site, line, {field, origin});
            EXPECT_EQ(answer.status, status);
            EXPECT_FALSE(answer.field(allowed)) << origin << status;
            EXPECT_THAT(answer.field("Vary").value_or(""), HasSubstr("Origin")) << origin << status;
        }
}

TEST_F(SiteCors, VaryNamesTheCodingToo) {
    const auto site = open({.cors_origins = {ours}});
    EXPECT_EQ(ask(*site, "GET /b.txt").field("Vary"), "Accept-Encoding, Origin");
}

constexpr const char* method = "Access-Control-Request-Method: GET";

TEST_F(SiteCors, APreflightIsToldWhatIsAllowed) {
    const auto site = open({.cors_origins = {ours}});
    const auto answer =
        ask(*site, "OPTIONS /a.txt",
            {from_ours, method, "Access-Control-Request-Headers: range,x-custom, b ad,,\"c\""});
    EXPECT_EQ(answer.status, 204u);
    EXPECT_EQ(answer.field(allowed), ours);
    EXPECT_EQ(answer.field("Access-Control-Allow-Methods"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(answer.field("Access-Control-Allow-Headers"), "range, x-custom");
    EXPECT_EQ(answer.field("Access-Control-Max-Age"), "7200");
    EXPECT_EQ(answer.field("Vary"), "Origin");
    EXPECT_EQ(answer.field("Allow"), "GET, HEAD, OPTIONS");
    EXPECT_FALSE(answer.field("Access-Control-Allow-Credentials"));
    EXPECT_EQ(answer.body, "");
}

TEST_F(SiteCors, APreflightForNothingThatExistsIsAnsweredAlike) {
    const auto answer =
        ask(*open({.cors_origins = {"*"}}), "OPTIONS /missing", {from_ours, method});
    EXPECT_EQ(answer.status, 204u);
    EXPECT_EQ(answer.field(allowed), "*");
    EXPECT_FALSE(answer.field("Access-Control-Allow-Headers")) << "none was asked for";
}

TEST_F(SiteCors, APreflightOfAnotherOriginIsToldNoOrigin) {
    const auto answer =
        ask(*open({.cors_origins = {ours}}), "OPTIONS /a.txt", {from_theirs, method});
    EXPECT_EQ(answer.status, 204u);
    EXPECT_FALSE(answer.field(allowed));
    EXPECT_FALSE(answer.field("Access-Control-Allow-Methods"));
    EXPECT_EQ(answer.field("Vary"), "Origin");
}

TEST_F(SiteCors, OptionsThatIsNoPreflightIsNotAnsweredAsOne) {
    const auto site = open({.cors_origins = {"*"}});
    for (const auto& fields : {std::vector<std::string>{}, {from_ours}, {method}})
        EXPECT_FALSE(ask(*site, "OPTIONS /a.txt", fields).field("Access-Control-Allow-Methods"));
    EXPECT_FALSE(
        ask(*open(), "OPTIONS /a.txt", {from_ours, method}).field("Access-Control-Allow-Methods"))
        << "off";
}

TEST_F(SiteCors, ARuleMayExposeMoreAndNotNameAnOriginTwice) {
    const FieldRule more{.name = exposed, .value = "X-Mine"};
    const FieldRule origin{.name = "access-control-allow-origin", .value = "*"};
    for (const char* const origins : {ours, "*"}) {
        const auto field = [&](std::vector<FieldRule> rules) {
            const auto site = open({.cors_origins = {origins}, .fields = std::move(rules)});
            return ask(*site, "GET /a.txt").field(exposed).value_or("");
        };
        EXPECT_EQ(field({more}), field({}) + ", X-Mine") << origins;
    }
    const auto opened = [&](std::vector<std::string> origins) {
        return Site::open(
                   {.root = tree.string(), .cors_origins = std::move(origins), .fields = {origin}})
            .has_value();
    };
    EXPECT_FALSE(opened({ours}));
    EXPECT_TRUE(opened({"*"}));
    EXPECT_TRUE(opened({}));
}

}  // namespace
}  // namespace weir::site
