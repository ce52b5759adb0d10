#include "rules/addressed.h"

#include <gtest/gtest.h>

#include "seen.h"
#include "weir/web/probe.h"

namespace weir::rules {
namespace {

struct BelowAPrefix : ::testing::Test {
    Seen site;
    BelowPrefix below{site, *PrefixPath::parse("/a b/docs/")};
    Addressed addressed{below, {}, PrefixPath::parse("/a b/docs/").value()};
    web::Probe probe{addressed};

    std::string seen(std::string_view target) {
        const auto answer = probe.get(target);
        return answer.status == 200 ? answer.content : std::to_string(answer.status);
    }
};

TEST_F(BelowAPrefix, TheSiteSeesTheRest) {
    EXPECT_EQ(seen("/a%20b/docs/"), "/a%20b/docs|/|");
    EXPECT_EQ(seen("/a%20b/docs/x/y?z"), "/a%20b/docs|/x/y|z");
    EXPECT_EQ(seen("/a%20b/%64ocs/x"), "/a%20b/%64ocs|/x|");
}

TEST_F(BelowAPrefix, ThereIsNothingElsewhere) {
    for (const char* const target : {"/", "/docs/", "/a%20b/", "/a%20b/docsx/", "//a%20b/docs/"})
        EXPECT_EQ(seen(target), "404") << target;
}

TEST_F(BelowAPrefix, ThePrefixItselfGetsItsSlash) {
    const auto answer = probe.get("/a%20b/%64ocs?q=1");
    EXPECT_EQ(answer.status, 308u);
    EXPECT_EQ(answer.field("Location"), "/a%20b/docs/?q=1");
    EXPECT_EQ(answer.field("Cache-Control"), "no-cache");
}

TEST(Prefixes, PathsOfMovesAreBelowThem) {
    Seen site;
    BelowPrefix below{site, *PrefixPath::parse("/docs")};
    const auto redirects =
        redirect_below(below, {"/old/{a}: /new/{a}", "/away: https://a/b"}, true);
    const auto addressed = lead(**redirects, {"/short: /long"}, "/docs");
    web::Probe probe{**addressed};
    EXPECT_EQ(probe.get("/docs/old/%C3%BC?q").field("Location"), "/docs/new/%C3%BC?q");
    EXPECT_EQ(probe.get("/d%6fcs/old/b").field("Location"), "/docs/new/b");
    EXPECT_EQ(probe.get("/docs/away").field("Location"), "https://a/b");
    EXPECT_EQ(probe.get("/docs/short?q").content, "/docs|/long|q");
    for (const char* const target : {"/old/b", "/short", "/away", "/docs/docs/old/b", "/docs"})
        EXPECT_FALSE(probe.get(target).field("Location").starts_with("/docs/new")) << target;
    EXPECT_EQ(probe.get("/short").status, 404u);
}

TEST(Prefixes, WhatIsNoneIsRefused) {
    for (const char* const text :
         {"", "/", "//", "docs", "//host", "/a//b", "/{a}", "/a?b", "/a/..", "/a%20b"})
        EXPECT_FALSE(PrefixPath::parse(text).has_value()) << text;
}

}  // namespace
}  // namespace weir::rules
