#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/probe.h"
#include "weir/web/ready_middleware.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

/// Answers with the content of the request, in one of two ways.
struct Below final : http::Handler {
    struct Ignored final : http::Sink {
        Taken take(std::string_view) override { return Taken::more; }
    };
    http::Reply handle(const http::Request& request) override {
        if (!request.content_pending()) return text(std::string{request.content()});
        if (request.path() == "/stream") return http::StreamContent{std::make_unique<Ignored>()};
        return http::ReadContent{};
    }
};

/// Requests whose handler does not come to its response, with middleware around it.
struct Ends : ::testing::Test {
    std::string journal;
    std::vector<Call> kept;
    Below below;
    Router router;
    Probe probe{router, {}, {.handler = 20s}};

    Ends() {
        router.post("/function", [](const Call& call) { return std::string{call.content()}; });
        router.post("/coroutine", [this](Call call) -> Task<Response> {
            journal += '!';
            co_return text(std::string{co_await call.body().all()});
        });
        router.post("/callback", [this](Call call) { kept.push_back(std::move(call)); });
        router.get("/slow", [](Call) -> Task<Response> {
            co_await sleep_for(1h);
            co_return Response{};
        });
        router.mount("/below", below);
    }
    void outermost() {
        router.use([this](Call, Next next) -> Task<Response> {
            auto response = co_await next();
            journal += "outer";
            response.add("X-Outer", std::to_string(http::code(response.status())));
            co_return response;
        });
    }
};

TEST_F(Ends, NextReturnsTheAnswerWhenTimeIsOver) {
    router.use([](const Call&, Response& response) { response.add("X-Marked", "yes"); });
    outermost();
    router.use([this](Call, Next next) -> Task<Response> {
        auto response = co_await next();
        journal += std::to_string(http::code(response.status()));
        co_return response;
    });
    router.use([](const Call&, Response& response) { response.add("X-Inner", "yes"); });
    router.use(time_limit(2s));
    for (const auto& [method, target] : std::vector<std::pair<const char*, const char*>>{
             {"GET", "/slow"}, {"POST", "/callback"}}) {
        journal.clear();
        auto exchange = probe.open(method, target);
        probe.advance(9s);
        const auto answer = exchange.wait();
        EXPECT_EQ(answer.status, 503u) << target;
        EXPECT_EQ(answer.field("X-Marked"), "yes") << target;
        EXPECT_EQ(answer.field("X-Outer"), "503") << target;
        EXPECT_EQ(answer.field("X-Inner"), "yes") << target;
        EXPECT_TRUE(journal.ends_with("503outer")) << journal;
        EXPECT_EQ(probe.failures().back(),
                  std::string{"the handler took too long for "} + method + " " + target);
    }
    EXPECT_EQ(probe.failures().size(), 2u);
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_TRUE(kept[0].stop_token().stop_requested());
    kept[0].respond(text("late"));
}

TEST_F(Ends, NextReturnsWhatTheConnectionAnswers) {
    router.use([this](Call call, Next next) -> Task<Response> {
        auto response = co_await next();
        journal += std::to_string(http::code(response.status())) + std::string{call.path()};
        response.add("X-Around", "yes");
        co_return response;
    });
    router.use(content_limit(5));
    const auto follow = [&](auto exchange, unsigned status, std::string_view noted) {
        const auto answer = exchange.wait();
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.field("X-Around"), "yes");
        EXPECT_EQ(journal, noted);
        journal.clear();
    };
    follow(probe.open("POST", "/function", {}, "too long"), 413, "413/function");
    follow(probe.open("POST", "/coroutine", {}, "too long"), 413, "!413/coroutine");
    follow(probe.open("POST", "/below/x", {}, "too long"), 413, "413/below/x");

    auto malformed = probe.open("POST", "/function", {{"Transfer-Encoding", "chunked"}});
    malformed.send("zz\r\n");
    follow(std::move(malformed), 400, "400/function");

    auto pausing = probe.open("POST", "/below/stream", {{"Content-Length", "4"}});
    pausing.send("a");
    probe.advance(31s);
    follow(std::move(pausing), 408, "408/below/stream");

    auto slow = probe.open("GET", "/slow");
    probe.advance(21s);
    follow(std::move(slow), 503, "503/slow");
    EXPECT_EQ(probe.failures(),
              std::vector<std::string>{"the handler took too long for GET /slow"});
}

TEST_F(Ends, WhatCannotEndInTimeIsLeftBehind) {
    Workers workers{1};
    std::promise<void> may_end;
    auto ended = may_end.get_future().share();
    router.use([](const Call&, Response& response) { response.add("X-Marked", "yes"); });
    router.use([this](Call, Next next) -> Task<Response> {
        auto response = co_await next();
        journal += "behind";
        co_return response;
    });
    router.get("/works", [&workers, ended](Call) -> Task<Response> {
        const auto work = [ended] { ended.wait(); };
        co_await offload(workers, work);
        co_return Response{};
    });
    router.group("/works").use(time_limit(2s));
    auto exchange = probe.open("GET", "/works");
    probe.advance(3s);
    const auto answer = exchange.wait();
    EXPECT_EQ(answer.status, 503u);
    EXPECT_EQ(answer.field("X-Marked"), "yes");
    EXPECT_EQ(journal, "");
    may_end.set_value();
}

TEST_F(Ends, MiddlewareHasASecondAfterTheTime) {
    outermost();
    router.use([](Call, Next next) -> Task<Response> {
        auto response = co_await next();
        co_await sleep_for(1h);
        co_return response;
    });
    router.use(time_limit(2s));
    auto exchange = probe.open("GET", "/slow");
    probe.advance(2s);
    EXPECT_EQ(exchange.answer().status, 0u);
    probe.advance(1s);
    const auto answer = exchange.wait();
    EXPECT_EQ(answer.status, 503u);
    EXPECT_EQ(answer.field("X-Outer"), "503");
    EXPECT_EQ(probe.failures().size(), 1u);
}

TEST_F(Ends, TimeInWhichContentComesDoesNotCount) {
    router.use(time_limit(2s));
    const auto ask_slowly = [this](const char* target) {
        auto exchange = probe.open("POST", target, {{"Content-Length", "2"}});
        for (const char* piece : {"a", "b"}) {
            probe.advance(5s);
            exchange.send(piece);
        }
        return exchange.wait();
    };
    router.post("/pieces", [](Call call) -> Task<Response> {
        std::string all;
        auto body = call.body();
        while (const auto piece = co_await body.next()) all += *piece;
        co_return text(all);
    });
    router.post("/late", [](Call call) -> Task<Response> {
        co_await call.body().all();
        co_await sleep_for(1h);
        co_return Response{};
    });
    const auto check = [&] {
        for (const char* target : {"/function", "/coroutine", "/pieces", "/below/x"}) {
            const auto answer = ask_slowly(target);
            EXPECT_EQ(answer.status, 200u) << target;
            EXPECT_TRUE(answer.content.ends_with("ab")) << target;
        }
    };
    check();
    auto late = probe.open("POST", "/late", {{"Content-Length", "1"}});
    probe.advance(5s);
    late.send("a");
    probe.advance(1s);
    EXPECT_EQ(late.answer().status, 0u);
    probe.advance(1s);
    EXPECT_EQ(late.wait().status, 503u);
    router.use([](Call, Next next) -> Task<Response> { co_return co_await next(); });
    check();
}

TEST_F(Ends, TheAnswerOfACallbackHoldsThatThrowsBehindIt) {
    router.get("/both", [](Call call) {
        call.respond(text("answer"));
        throw std::runtime_error{"behind it"};
    });
    for (unsigned round = 0; round < 2; ++round) {
        EXPECT_EQ(probe.get("/both").content, "answer");
        ASSERT_EQ(probe.failures().size(), round + 1u);
        EXPECT_EQ(probe.failures().back(),
                  "the handler threw an exception for GET /both: behind it");
        router.use([](Call, Next next) -> Task<Response> { co_return co_await next(); });
    }
}

}  // namespace
}  // namespace weir::web
