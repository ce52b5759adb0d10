#include "weir/rules/moves.h"

#include <gtest/gtest.h>

#include "seen.h"
#include "weir/web/probe.h"

namespace weir::rules {
namespace {

TEST(Redirects, AreAnswers) {
    Seen site;
    const auto redirects = redirect(site, {"/old/{a}: 301 /new/{a}"});
    web::Probe probe{**redirects};
    const auto answer = probe.get("/old/%C3%BC?q");
    EXPECT_EQ(answer.status, 301u);
    EXPECT_EQ(answer.field("Location"), "/new/%C3%BC?q");
    EXPECT_EQ(probe.get("/old/a?b=\\c").field("Location"), "/new/a?b=%5Cc");
    EXPECT_EQ(probe.post("/old/b", "content").status, 301u);
    EXPECT_EQ(probe.get("/new/b").content, "|/new/b|");
    EXPECT_EQ(probe.get("/old/%zz").content, "|/old/%zz|") << "the site answers what is malformed";
}

TEST(Rewrites, AreSeenByTheSiteAlone) {
    Seen site;
    const auto rewrites = rewrite(site, {"/{rest...}: /v2/{rest...}?new"});
    web::Probe probe{**rewrites};
    EXPECT_EQ(probe.get("/a/b").content, "|/v2/a/b|new");
    EXPECT_EQ(probe.get("/a%20b?q=1").content, "|/v2/a%20b|new&q=1") << "each request once";
    EXPECT_EQ(probe.get("/").content, "|/v2/|new");
}

/// Wants the content first, and is called again for the same request.
class Reading final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override {
        if (request.content_pending()) return http::ReadContent{};
        http::Response response;
        response.content(std::string{request.path()} + ' ' + std::string{request.content()});
        return response;
    }
};

TEST(Rewrites, HoldWhenTheHandlerIsCalledAgain) {
    Reading site;
    const auto rewrites = rewrite(site, {"/{rest...}: /x/{rest...}"});
    web::Probe probe{**rewrites};
    EXPECT_EQ(probe.post("/a", "content").content, "/x/a content");
}

TEST(Rewrites, MayStandAroundOthers) {
    Seen site;
    const auto inner = rewrite(site, {"/b/{rest...}: /c/{rest...}"});
    const auto outer = rewrite(**inner, {"/a/{rest...}: /b/{rest...}"});
    web::Probe probe{**outer};
    EXPECT_EQ(probe.get("/a/x?q").content, "|/c/x|q");
    EXPECT_EQ(probe.get("/d").content, "|/d|");
}

TEST(Rewrites, LeaveNothingForTheNextRequest) {
    Seen site;
    const auto rewrites = rewrite(site, {"/a: /b?c"});
    web::Probe probe{**rewrites};
    EXPECT_EQ(probe.get("/a").content, "|/b|c");
    EXPECT_EQ(probe.get("/d").content, "|/d|");
}

}  // namespace
}  // namespace weir::rules
