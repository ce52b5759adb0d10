#include "weir/web/middleware.h"

#include <gtest/gtest.h>

#include "unit/web/late.h"
#include "weir/web/await.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

/// Writes what it sees into a journal, and refuses requests with ?refused=<name>.
struct Noted final : Middleware {
    Noted(std::string& journal, std::string own) : into{journal}, name{std::move(own)} {}
    std::optional<Response> before(const Call& call) override {
        into += "<" + name;
        if (call.query("refused") == name) return text("refused by " + name, Status::forbidden);
        return std::nullopt;
    }
    void after(const Call&, Response& response) override {
        into += ">" + name;
        response.add("X-" + name, std::to_string(http::code(response.status())));
    }
    std::string& into;
    std::string name;
};

struct Chains : ::testing::Test {
    std::string journal;
    Router router;
    Probe probe{router};

    auto noted(std::string name) { return std::make_shared<Noted>(journal, std::move(name)); }
    Probe::Answer get(std::string_view target) {
        journal.clear();
        return probe.get(target);
    }
};

TEST_F(Chains, RunInOrderAroundTheHandler) {
    router.get("/a", [this](const Call&) {
        journal += "!";
        return text("a");
    });
    router.use(noted("outer")).use(noted("inner"));
    const auto answer = get("/a");
    EXPECT_EQ(journal, "<outer<inner!>inner>outer");
    EXPECT_EQ(answer.field("X-outer"), "200");
    EXPECT_EQ(answer.field("X-inner"), "200");
}

struct AnswersLate final : http::Handler {
    http::Reply handle(const http::Request& request) override {
        return http::Later{std::make_unique<Late>(request.waker())};
    }
};

TEST_F(Chains, SeeTheLateAnswerOfAMountedHandler) {
    AnswersLate late;
    router.mount("/below", late);
    router.use(noted("outer")).use(noted("inner"));
    const auto answer = get("/below/a");
    EXPECT_EQ(answer.content, "late");
    EXPECT_EQ(journal, "<outer<inner>inner>outer");
    EXPECT_EQ(answer.field("X-outer"), "200");
}

TEST_F(Chains, BelongToAPrefix) {
    auto api = router.group("/api");
    router.get("/b", [] { return text("b"); });
    api.get("/c", [] { return text("c"); });
    api.use(noted("api"));
    router.use(noted("all"));
    get("/b");
    EXPECT_EQ(journal, "<all>all");
    get("/api/c");
    EXPECT_EQ(journal, "<api<all>all>api");
}

TEST_F(Chains, OneThatAnswersEndsTheRequest) {
    bool handled = false;
    router.get("/", [&] {
        handled = true;
        return Response{};
    });
    router.use(noted("a")).use(noted("b")).use(noted("c"));
    const auto answer = get("/?refused=b");
    EXPECT_EQ(answer.status, 403u);
    EXPECT_EQ(answer.content, "refused by b");
    EXPECT_EQ(journal, "<a<b>a");
    EXPECT_FALSE(handled);
}

TEST_F(Chains, SeeWhatTheRouterAnswersItself) {
    router.group("/api").use(noted("api")).get("/x", [] { return Response{}; });
    EXPECT_EQ(get("/api/none").field("X-api"), "404");
    EXPECT_EQ(get("/none").field("X-api"), "");
    EXPECT_EQ(probe.ask("DELETE", "/api/x").field("X-api"), "405");
    EXPECT_EQ(get("/%61pi/none").field("X-api"), "404");
    EXPECT_EQ(get("/api/x?refused=api").status, 403u);
    EXPECT_EQ(get("/api/none?refused=api").status, 403u);
}

TEST_F(Chains, SeeTheAnswersOfEveryForm) {
    std::optional<Call> kept;
    router.get("/callback", [&](Call call) { kept.emplace(std::move(call)); });
    router.get("/coroutine", [](Call) -> Task<Response> {
        co_await sleep_for(1s);
        co_return text("done");
    });
    router.post("/content", [](const Call& call) { return text(std::string{call.content()}); });
    router.get("/head", [](const Call&) -> http::Reply { return Response{}; });
    router.use(noted("m"));
    auto callback = probe.open("GET", "/callback");
    kept->respond(text("x"));
    EXPECT_EQ(callback.wait().field("X-m"), "200");
    auto coroutine = probe.open("GET", "/coroutine");
    probe.advance(1s);
    EXPECT_EQ(coroutine.wait().field("X-m"), "200");
    EXPECT_EQ(get("/head").field("X-m"), "200");
    journal.clear();
    EXPECT_EQ(probe.post("/content", "text").content, "text");
    EXPECT_EQ(journal, "<m>m") << "once, though the handler waits for its content";
}

TEST_F(Chains, RefuseContentAtTheHead) {
    router.post("/", [](const Call&) { return Response{}; });
    router.use(noted("m"));
    auto exchange = probe.open("POST", "/?refused=m", {{"Content-Length", "1000"}});
    EXPECT_EQ(exchange.wait().status, 403u);
}

}  // namespace
}  // namespace weir::web
