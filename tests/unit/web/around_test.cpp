#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "unit/web/late.h"
#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/probe.h"
#include "weir/web/ready_middleware.h"
#include "weir/web/router.h"
#include "weir/web/together.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

/// Answers with the content, in the way of its path.
struct Below final : http::Handler {
    struct Kept final : http::Sink {
        explicit Kept(std::string& own) : into{own} {}
        Taken take(std::string_view bytes) override {
            into += bytes;
            return Taken::more;
        }
        std::string& into;
    };
    http::Reply handle(const http::Request& request) override {
        if (request.path() == "/late") return http::Later{std::make_unique<Late>(request.waker())};
        if (request.path() == "/throw") throw std::runtime_error{"no luck"};
        if (request.path() == "/stream") {
            if (request.content_pending())
                return http::StreamContent{std::make_unique<Kept>(streamed)};
            return text(streamed);
        }
        if (request.content_pending()) return http::ReadContent{};
        return text(std::string{request.path()} + ":" + std::string{request.content()});
    }
    std::string streamed{};
};

struct Wrapped : ::testing::Test {
    std::string journal;
    std::vector<Call> kept;
    Below below;
    Router router;
    Probe probe{router, {}, {.handler = 20s}};

    Wrapped() {
        router.post("/function", [this](const Call& call) {
            journal += '!';
            return text(std::string{call.content()});
        });
        router.post("/coroutine", [this](Call call) -> Task<Response> {
            journal += '!';
            co_return text(std::string{co_await call.body().all()});
        });
        router.post("/callback", [this](Call call) {
            journal += '!';
            kept.push_back(std::move(call));
        });
        router.post("/head", [this](const Call&) -> http::Reply {
            journal += '!';
            return text("head");
        });
        router.get("/id/{id}", [] { return text("id"); });
        router.get("/throw", []() -> Response { throw std::runtime_error{"no luck"}; });
        router.get("/slow", [](Call) -> Task<Response> {
            co_await sleep_for(1h);
            co_return Response{};
        });
        router.mount("/below", below);
    }
    /// Middleware that waits before and behind the handler.
    void wrap(std::string name, Routes& routes) {
        routes.use([this, name](Call call, Next next) -> Task<Response> {
            journal += "<" + name;
            co_await sleep_for(1s);
            auto response = co_await next();
            co_await sleep_for(1s);
            journal += ">" + name;
            response.add("X-" + name, std::to_string(http::code(response.status())));
            response.add("X-Path", call.path());
            co_return response;
        });
    }
    Probe::Answer ask(std::string_view method, std::string_view target,
                      std::optional<std::string_view> content = {}) {
        journal.clear();
        auto exchange = probe.open(method, target, {}, content);
        probe.advance(10s);
        if (!kept.empty()) {
            kept.back().respond(text("callback"));
            kept.clear();
            static_cast<void>(exchange.answer());
            probe.advance(10s);
        }
        return exchange.wait();
    }
};

TEST_F(Wrapped, HandlersOfEveryForm) {
    wrap("a", router);
    wrap("b", router);
    for (const auto& [path, content] :
         std::vector<std::pair<const char*, const char*>>{{"/function", "content"},
                                                          {"/coroutine", "content"},
                                                          {"/callback", "callback"},
                                                          {"/head", "head"}}) {
        const auto answer = ask("POST", path, "content");
        EXPECT_EQ(answer.content, content) << path;
        EXPECT_EQ(journal, "<a<b!>b>a") << path;
        EXPECT_EQ(answer.field("X-a"), "200") << path;
        EXPECT_EQ(answer.field("X-b"), "200") << path;
    }
}

TEST_F(Wrapped, MountedHandlers) {
    wrap("a", router);
    for (const auto& [path, content] : std::vector<std::pair<const char*, const char*>>{
             {"/below/x", "/x:content"}, {"/below/stream", "content"}, {"/below/late", "late"}}) {
        const auto answer = ask("POST", path, "content");
        EXPECT_EQ(answer.content, content) << path;
        EXPECT_EQ(answer.field("X-a"), "200") << path;
        EXPECT_EQ(answer.field("X-Path"), path) << "as the middleware has seen it before";
    }
    EXPECT_EQ(ask("GET", "/below/throw").field("X-a"), "500");
    EXPECT_EQ(probe.failures().size(), 1u);
}

TEST_F(Wrapped, AnswersOfTheRouterItself) {
    wrap("a", router);
    const auto missing = ask("GET", "/none");
    EXPECT_EQ(missing.status, 404u);
    EXPECT_EQ(missing.field("X-a"), "404");
    EXPECT_EQ(ask("DELETE", "/head").field("X-a"), "405");
    EXPECT_EQ(ask("GET", "/id/%zz").field("X-a"), "400");
}

TEST_F(Wrapped, AnExceptionOfTheHandlerIsAResponse) {
    wrap("a", router);
    EXPECT_EQ(ask("GET", "/throw").field("X-a"), "500");
    EXPECT_EQ(probe.failures(),
              std::vector<std::string>{"the handler threw an exception for GET /throw: no luck"});
    auto exchange = probe.open("POST", "/callback", {}, "");
    probe.advance(2s);
    kept.clear();
    static_cast<void>(exchange.answer());
    probe.advance(2s);
    EXPECT_EQ(exchange.wait().field("X-a"), "500");
    EXPECT_EQ(probe.failures().back(),
              "the handler destroyed its Call without a response for POST /callback");
}

TEST_F(Wrapped, TheMiddlewareMayAnswerItself) {
    wrap("outer", router);
    router.use([](Call, Next) -> Task<Response> { co_return text("no", Status::forbidden); });
    wrap("inner", router);
    const auto answer = ask("POST", "/function", "content");
    EXPECT_EQ(answer.status, 403u);
    EXPECT_EQ(answer.field("X-outer"), "403");
    EXPECT_EQ(journal, "<outer>outer");
}

TEST_F(Wrapped, TheMiddlewareMayThrow) {
    router.use([](const Call&, Response& response) { response.add("X-Marked", "yes"); });
    wrap("outer", router);
    router.use([](Call call, Next next) -> Task<Response> {
        if (call.query("before")) throw std::runtime_error{"before"};
        auto response = co_await next();
        throw std::runtime_error{"behind"};
    });
    for (const char* target : {"/function?before", "/function"}) {
        const auto answer = ask("POST", target, "x");
        EXPECT_EQ(answer.status, 500u) << target;
        EXPECT_EQ(answer.field("X-outer"), "500") << target;
        EXPECT_EQ(answer.field("X-Marked"), "yes") << target;
    }
    EXPECT_EQ(probe.failures().size(), 2u);
}

TEST_F(Wrapped, MiddlewareOfAllKindsKeepsItsOrder) {
    const auto note = [this](std::string name) {
        router.use([this, name](const Call&) { journal += "<" + name; });
        router.use([this, name](const Call&, Response&) { journal += ">" + name; });
    };
    note("1");
    wrap("2", router);
    note("3");
    wrap("4", router);
    note("5");
    EXPECT_EQ(ask("POST", "/function", "x").status, 200u);
    EXPECT_EQ(journal, "<1<2<3<4<5!>5>4>3>2>1");
    EXPECT_EQ(ask("GET", "/none").status, 404u);
    EXPECT_EQ(journal, "<1<2<3<4<5>5>4>3>2>1");
    EXPECT_EQ(ask("GET", "/throw").status, 500u);
    EXPECT_EQ(journal, "<1<2<3<4<5>5>4>3>2>1");
}

TEST_F(Wrapped, AFunctionBeforeMayAnswer) {
    router.use([](const Call& call) -> std::optional<Response> {
        if (call.query("no")) return text("no", Status::forbidden);
        return std::nullopt;
    });
    EXPECT_EQ(ask("POST", "/function?no", "x").status, 403u);
    EXPECT_EQ(ask("POST", "/function", "x").status, 200u);
}

TEST_F(Wrapped, NextIsCalledOnce) {
    router.use([](Call, Next next) -> Task<Response> {
        co_await next();
        co_return co_await next();
    });
    EXPECT_EQ(ask("POST", "/function", "x").status, 500u);
    EXPECT_EQ(journal, "!");
    ASSERT_EQ(probe.failures().size(), 1u);
    EXPECT_NE(probe.failures()[0].find("next() was called a second time"), std::string::npos);
}

TEST_F(Wrapped, ALimitOfTimeIsMiddlewareToo) {
    router.use([](Call, Next next) -> Task<Response> {
        auto response = co_await when_any(next(), sleep_for(3s));
        if (response.index() == 1) co_return text("too slow", Status::gateway_timeout);
        co_return std::get<0>(std::move(response));
    });
    wrap("inner", router);
    EXPECT_EQ(ask("GET", "/slow").content, "too slow");
    EXPECT_EQ(journal, "<inner");
    EXPECT_EQ(ask("POST", "/head", "x").content, "head");
    EXPECT_EQ(journal, "<inner!>inner");
}

TEST_F(Wrapped, TimeLimitsHoldOnEachSide) {
    router.use([](const Call&, Response& response) { response.add("X-Marked", "yes"); });
    router.use([](Call, Next next) -> Task<Response> { co_return co_await next(); });
    router.use([](const Call&, Response& response) { response.add("X-Inner", "yes"); });
    router.use(time_limit(2s));
    const auto answer = ask("GET", "/slow");
    EXPECT_EQ(answer.status, 503u);
    EXPECT_EQ(answer.field("X-Marked"), "yes");
    EXPECT_EQ(answer.field("X-Inner"), "yes");
}

TEST_F(Wrapped, APeerThatLeavesEndsAllOfIt) {
    struct Noted {
        explicit Noted(std::string& own) : journal{own} {}
        ~Noted() { journal += '~'; }
        Noted(const Noted&) = delete;
        Noted& operator=(const Noted&) = delete;
        std::string& journal;
    };
    router.use([this](Call, Next next) -> Task<Response> {
        const Noted noted{journal};
        co_return co_await next();
    });
    router.use([this](Call, Next next) -> Task<Response> {
        const Noted noted{journal};
        co_return co_await next();
    });
    for (const char* target : {"/slow", "/below/late"}) {
        journal.clear();
        auto exchange = probe.open("GET", target);
        exchange.leave();
        EXPECT_EQ(journal, "~~") << target;
    }
    journal.clear();
    auto exchange = probe.open("POST", "/callback", {}, "");
    ASSERT_EQ(kept.size(), 1u);
    exchange.leave();
    EXPECT_EQ(journal, "!~~");
    EXPECT_TRUE(kept[0].stop_token().stop_requested());
    kept[0].respond(text("late"));
}

TEST_F(Wrapped, LeavesValuesForTheHandler) {
    struct User {
        std::string name;
    };
    router.use([](Call call, Next next) -> Task<Response> {
        co_await sleep_for(1s);
        call.set(User{"ann"});
        call.set<int>(7);
        auto response = co_await next();
        response.set("X-Left", std::to_string(*call.get<int>()));
        co_return response;
    });
    router.get("/who", [](const Call& call) {
        *call.get<int>() += 1;
        EXPECT_EQ(call.get<double>(), nullptr);
        return text(call.get<User>()->name);
    });
    const auto answer = ask("GET", "/who");
    EXPECT_EQ(answer.content, "ann");
    EXPECT_EQ(answer.field("X-Left"), "8");
}

TEST_F(Wrapped, OneValueOfEachTypeIsKept) {
    router.use([](const Call& call) {
        EXPECT_EQ(call.get<std::string>(), nullptr);
        call.set<std::string>("first");
        EXPECT_EQ(call.set<std::string>("second"), "second");
        call.set(std::make_unique<int>(3));
    });
    router.get("/kept", [](const Call& call) {
        return text(*call.get<std::string>() + std::to_string(**call.get<std::unique_ptr<int>>()));
    });
    EXPECT_EQ(ask("GET", "/kept").content, "second3");
}

TEST_F(Wrapped, TheTableTellsTheOrder) {
    Router small;
    small.get("/", [] { return text(""); });
    auto api = small.group("/api");
    api.get("/notes/{id}", [](Call) -> Task<Response> { co_return text(""); });
    small.use(request_ids()).use(security_headers());
    api.use([](Call, Next next) -> Task<Response> { co_return co_await next(); });
    api.use([](const Call&) {}).use([](const Call&, Response&) {});
    EXPECT_EQ(small.routes(),
              "GET /                request_ids > security_headers > function\n"
              "GET /api/notes/{id}  request_ids > security_headers > a function around > "
              "a function before > a function after > coroutine\n");
}

}  // namespace
}  // namespace weir::web
