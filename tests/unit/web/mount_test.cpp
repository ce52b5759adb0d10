#include <gtest/gtest.h>

#include <stdexcept>

#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

/// Answers the parts of the path, and the content.
struct Parts final : http::Handler {
    http::Reply handle(const http::Request& request) override {
        if (request.content_pending()) return http::ReadContent{};
        return text(std::string{request.prefix()} + "|" + std::string{request.path()} + "|" +
                    std::string{request.content()});
    }
};

struct Mounting : ::testing::Test {
    Parts parts;
    Router router;
    Probe probe{router};
};

TEST_F(Mounting, TheHandlerSeesThePathBehindThePrefix) {
    router.mount("/static", parts);
    router.get("/static/own", [] { return text("own"); });
    EXPECT_EQ(probe.get("/static/a/b.css?q").content, "/static|/a/b.css|");
    EXPECT_EQ(probe.get("/static/").content, "/static|/|");
    EXPECT_EQ(probe.get("/st%61tic/..%2f%zz").content, "/st%61tic|/..%2f%zz|")
        << "paths are the handler's to check";
    EXPECT_EQ(probe.get("/static").field("Location"), "/static/");
    EXPECT_EQ(probe.get("/static/own").content, "own");
    EXPECT_EQ(probe.get("/statics/a").status, 404u);
    EXPECT_EQ(probe.ask("DELETE", "/static/a").content, "/static|/a|") << "every method";
}

TEST_F(Mounting, AtTheRootItGetsTheRest) {
    router.get("/api", [] { return text("api"); });
    router.mount("/", parts);
    EXPECT_EQ(probe.get("/api").content, "api");
    EXPECT_EQ(probe.get("/index.html").content, "|/index.html|");
}

TEST_F(Mounting, TheContentComesToo) {
    router.mount("/up", parts);
    EXPECT_EQ(probe.post("/up/a", "content").content, "/up|/a|content");
}

TEST_F(Mounting, RoutersInRouters) {
    auto inner = std::make_unique<Router>();
    inner->mount("/deep", parts);
    inner->post("/echo/{id}", [](const Call& call) {
        return text(std::string{call.parameter("id")} + std::string{call.content()});
    });
    inner->get("/later/{id}", [](Call call) -> Task<Response> {
        co_return text(std::string{call.parameter("id")});
    });
    router.mount("/inner", std::move(inner));
    EXPECT_EQ(probe.get("/inner/deep/a").content, "/inner/deep|/a|");
    EXPECT_EQ(probe.post("/inner/echo/%37", "x").content, "7x");
    EXPECT_EQ(probe.get("/inner/later/8").content, "8");
    EXPECT_EQ(probe.get("/inner/deep?x").field("Location"), "/inner/deep/?x");
}

TEST_F(Mounting, APrefixHasNoWildcard) {
    EXPECT_THROW(router.mount("/{id}", parts), std::invalid_argument);
    EXPECT_THROW(router.mount("static", parts), std::invalid_argument);
}

}  // namespace
}  // namespace weir::web
