#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <stdexcept>
#include <thread>

#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/early_hints.h"
#include "weir/web/probe.h"
#include "weir/web/ready_middleware.h"
#include "weir/web/router.h"
#include "weir/web/together.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

/// Counts how many of it are alive: one in each coroutine frame under test.
struct Local {
    explicit Local(int& of) : alive{of} { ++alive; }
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;
    ~Local() { --alive; }
    int& alive;
};

struct Coroutines : ::testing::Test {
    int alive = 0;
    Router router;
    Probe probe{router};
};

TEST_F(Coroutines, AnswerWithoutWaiting) {
    router.get("/{id}", [](Call call) -> Task<Response> {
        co_return text(std::string{call.parameter("id")});
    });
    EXPECT_EQ(probe.get("/7").content, "7");
}

TEST_F(Coroutines, MayHaveTimesBeyondAllClocks) {
    using std::chrono::milliseconds;
    router.get("/sleep", [](Call) -> Task<Response> {
        co_await sleep_for(milliseconds::max());
        co_return text("slept");
    });
    router.get("/limit", [](Call) -> Task<Response> {
        co_await with_timeout(milliseconds::max(), sleep_for(1s));
        co_return text("in time");
    });
    router.group("/late").use(time_limit(milliseconds::max()));
    router.get("/late", [](Call) -> Task<Response> {
        co_await sleep_for(1s);
        co_return text("in time");
    });
    EXPECT_EQ(probe.open("GET", "/sleep").answer().status, 0u);
    for (const auto* const path : {"/limit", "/late"}) {
        auto exchange = probe.open("GET", path);
        EXPECT_EQ(exchange.answer().status, 0u) << path;
        probe.advance(1s);
        EXPECT_EQ(exchange.answer().content, "in time") << path;
    }
}

TEST_F(Coroutines, SendEarlyHints) {
    router.get("/", [](Call call) -> Task<Response> {
        co_await early_hints(call, "</a.css>; rel=preload; as=style", "</b.js>; rel=preload");
        co_await sleep_for(1s);
        co_await early_hints(call, "</c.png>; rel=preload");
        co_return text("page");
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(exchange.answer().status, 0u);
    probe.advance(1s);
    const auto answer = exchange.answer();
    EXPECT_EQ(answer.content, "page");
    ASSERT_EQ(answer.hints.size(), 2u);
    EXPECT_EQ(answer.hints[0], (Probe::Fields{{"Link", "</a.css>; rel=preload; as=style"},
                                              {"Link", "</b.js>; rel=preload"}}));
    EXPECT_EQ(answer.hints[1], (Probe::Fields{{"Link", "</c.png>; rel=preload"}}));
}

TEST_F(Coroutines, SendHintsBeforeTheyReadTheContent) {
    router.post("/", [](Call call) -> Task<Response> {
        std::string all;
        auto body = call.body();
        while (const auto piece = co_await body.next()) {
            all += *piece;
            co_await early_hints(call, "</a>; rel=preload");
        }
        co_return text(all);
    });
    const auto answer = probe.post("/", "content");
    EXPECT_EQ(answer.content, "content");
    EXPECT_EQ(answer.hints.size(), 1u);
}

TEST_F(Coroutines, SendTheHintsOfSeveralTogether) {
    router.post("/", [](Call call) -> Task<Response> {
        auto body = call.body();
        const auto all = co_await when_all(early_hints(call, "</a>; rel=preload"), body.all(),
                                           early_hints(call, "</b>; rel=preload"));
        co_return text(std::string{std::get<1>(all)});
    });
    const auto answer = probe.post("/", "content");
    EXPECT_EQ(answer.content, "content");
    ASSERT_EQ(answer.hints.size(), 1u);
    EXPECT_EQ(answer.hints[0],
              (Probe::Fields{{"Link", "</a>; rel=preload"}, {"Link", "</b>; rel=preload"}}));
}

TEST_F(Coroutines, AloneSendHints) {
    router.get("/", [](const Call& call) {
        EXPECT_THROW(static_cast<void>(early_hints(call, "</a>; rel=preload")), std::logic_error);
        return text("page");
    });
    EXPECT_EQ(probe.get("/").content, "page");
}

TEST_F(Coroutines, CannotHintAtSplitFields) {
    router.get("/", [](Call call) -> Task<Response> {
        co_await early_hints(call, "</a>\r\nSet-Cookie: a=b");
        co_return text("page");
    });
    const auto answer = probe.get("/");
    EXPECT_EQ(answer.status, 500u);
    EXPECT_TRUE(answer.hints.empty());
}

TEST_F(Coroutines, SleepByTheClockOfTheHost) {
    router.get("/", [](Call) -> Task<Response> {
        co_await sleep_for(2s);
        co_await sleep_for(0s);
        co_await sleep_for(3s);
        co_return text("awake");
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(4999ms);
    EXPECT_FALSE(exchange.answer().is_complete);
    probe.advance(1ms);
    EXPECT_EQ(exchange.answer().content, "awake");
}

Task<int> twice(int value) {
    co_await sleep_for(1s);
    co_return 2 * value;
}
Task<> fail() {
    co_await sleep_for(1s);
    throw std::runtime_error{"failed"};
}

TEST_F(Coroutines, AwaitOthers) {
    router.get("/", [](Call) -> Task<Response> {
        const int value = co_await twice(co_await twice(10));
        std::string failure;
        try {
            co_await fail();
        } catch (const std::runtime_error& error) {
            failure = error.what();
        }
        co_return text(std::to_string(value) + failure);
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(3s);
    EXPECT_EQ(exchange.wait().content, "40failed");
}

TEST_F(Coroutines, ThatThrowAreA500) {
    router.get("/now", [](Call) -> Task<Response> {
        throw std::runtime_error{"no"};
        co_return Response{};
    });
    router.get("/later", [](Call) -> Task<Response> {
        co_await fail();
        co_return Response{};
    });
    EXPECT_EQ(probe.get("/now").status, 500u);
    auto exchange = probe.open("GET", "/later");
    probe.advance(1s);
    EXPECT_EQ(exchange.wait().status, 500u);
}

TEST_F(Coroutines, OffloadWork) {
    Workers workers{2};
    router.get("/", [&](Call) -> Task<Response> {
        const auto here = std::this_thread::get_id();
        const auto there = co_await offload(workers, [] { return std::this_thread::get_id(); });
        bool caught = false;
        try {
            co_await offload(workers, []() { throw std::runtime_error{"there"}; });
        } catch (const std::runtime_error&) {
            caught = true;
        }
        const bool is_back = here == std::this_thread::get_id();
        co_return text(here != there && is_back && caught ? "yes" : "no");
    });
    for (int i = 0; i < 20; ++i) ASSERT_EQ(probe.get("/").content, "yes");
}

TEST_F(Coroutines, GiveTheirArgumentsAwayToOffloadedWork) {
    Workers workers{1};
    router.get("/", [&workers](Call) -> Task<Response> {
        auto own = std::make_unique<std::string>("moved");
        std::string borrowed = "bor";
        const auto work = [](std::unique_ptr<std::string> taken, std::string& lent) {
            lent += "rowed";
            return std::move(*taken);
        };
        auto result = co_await offload(workers, work, std::move(own), std::ref(borrowed));
        co_return text(result + ", " + borrowed);
    });
    EXPECT_EQ(probe.get("/").content, "moved, borrowed");
}

TEST_F(Coroutines, EndWhereTheyWaitWhenThePeerLeaves) {
    bool stopped = false;
    router.get("/", [&](Call call) -> Task<Response> {
        const Local local{alive};
        const std::stop_callback on_stop{call.stop_token(), [&] { stopped = true; }};
        co_await sleep_for(1h);
        co_return Response{};
    });
    {
        auto exchange = probe.open("GET", "/");
        EXPECT_EQ(alive, 1);
        exchange.leave();
        EXPECT_EQ(alive, 0);
        EXPECT_TRUE(stopped);
    }
    { auto exchange = probe.open("GET", "/"); }
    EXPECT_EQ(alive, 0);
}

TEST_F(Coroutines, KeepWhatOffloadedWorkUsesUntilItHasFinished) {
    Workers workers{1};
    std::latch begun{1};
    std::latch may_end{1};
    std::latch ended{1};
    struct Ending {
        std::latch& latch;
        ~Ending() { latch.count_down(); }
    };
    router.get("/", [&](Call) -> Task<Response> {
        const Ending ending{ended};
        std::string local(1000, 'x');
        co_await offload(workers, [&] {
            begun.count_down();
            may_end.wait();
            local += 'y';  // asan would tell
        });
        ADD_FAILURE() << "the peer has left";
        co_return Response{};
    });
    {
        auto exchange = probe.open("GET", "/");
        begun.wait();
        exchange.leave();
    }
    EXPECT_FALSE(ended.try_wait());
    may_end.count_down();
    ended.wait();
}

TEST_F(Coroutines, ReadContentInPieces) {
    router.post("/", [](Call call) -> Task<Response> {
        std::string all;
        auto body = call.body();
        while (const auto piece = co_await body.next()) all.append(*piece).append("|");
        if (co_await body.next()) all += "more";
        co_return text(all);
    });
    EXPECT_EQ(probe.post("/", "abc").content, "abc|");
    EXPECT_EQ(probe.get("/").status, 405u);
    auto exchange = probe.open("POST", "/", {{"Content-Length", "6"}});
    exchange.send("ab");
    exchange.send("cd");
    EXPECT_FALSE(exchange.answer().is_complete);
    exchange.send("ef");
    EXPECT_EQ(exchange.wait().content, "ab|cd|ef|");
    auto chunked = probe.open("POST", "/", {{"Transfer-Encoding", "chunked"}});
    chunked.send("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n");
    EXPECT_EQ(chunked.wait().content, "a|bc|");
    EXPECT_EQ(probe.post("/", "").content, "");
}

TEST_F(Coroutines, TakeContentAtTheirOwnPace) {
    router.post("/", [](Call call) -> Task<Response> {
        std::string all;
        auto body = call.body();
        while (const auto piece = co_await body.next()) {
            co_await sleep_for(1s);
            all += *piece;  // valid until the next one is asked for
        }
        co_return text(all);
    });
    auto exchange = probe.open("POST", "/", {{"Content-Length", "4"}}, "ab");
    exchange.send("cd");
    probe.advance(1s);
    EXPECT_FALSE(exchange.answer().is_complete);
    probe.advance(1s);
    EXPECT_EQ(exchange.wait().content, "abcd");
}

TEST_F(Coroutines, ReadContentAsAWhole) {
    router.post("/", [](Call call) -> Task<Response> {
        const std::string_view all = co_await call.body().all();
        co_await sleep_for(1s);
        co_return text(std::string{all} + std::string{co_await call.body().all()});
    });
    auto exchange = probe.open("POST", "/", {{"Content-Length", "4"}}, "ab");
    exchange.send("cd");
    probe.advance(1s);
    EXPECT_EQ(exchange.wait().content, "abcdabcd");
    Probe small{router, {.content_bytes_max = 3}};
    EXPECT_EQ(small.post("/", "abcd").status, 413u);
}

TEST_F(Coroutines, AnswerBeforeTheContentHasCome) {
    router.post("/never", [](Call) -> Task<Response> { co_return text("no need"); });
    router.post("/part", [](Call call) -> Task<Response> {
        co_await call.body().next();
        co_return text("enough");
    });
    auto never = probe.open("POST", "/never", {{"Content-Length", "1000"}});
    EXPECT_EQ(never.wait().content, "no need");
    auto part = probe.open("POST", "/part", {{"Content-Length", "1000"}}, "a");
    EXPECT_EQ(part.wait().content, "enough");
    EXPECT_EQ(part.answer().field("Connection"), "close");
}

TEST_F(Coroutines, EndWhereTheContentIsMalformed) {
    router.post("/", [&](Call call) -> Task<Response> {
        const Local local{alive};
        auto body = call.body();
        while (co_await body.next()) {}
        co_return Response{};
    });
    auto exchange = probe.open("POST", "/", {{"Transfer-Encoding", "chunked"}});
    EXPECT_EQ(alive, 1);
    exchange.send("zz\r\n");
    EXPECT_EQ(exchange.wait().status, 400u);
    EXPECT_EQ(alive, 0);
}

TEST_F(Coroutines, MayLeaveTheAnswerToTheirCall) {
    router.get("/", [](Call call) -> Task<Response> {
        call.respond(text("call"));
        co_await sleep_for(1s);
        co_return text("return");
    });
    EXPECT_EQ(probe.get("/").content, "call");
}

/// At each await in turn, the peer leaves.
TEST_F(Coroutines, SurviveAPeerThatLeavesAtAnyPoint) {
    Workers workers{2};
    router.post("/", [&](Call call) -> Task<Response> {
        const Local local{alive};
        auto body = call.body();
        std::string all;
        while (const auto piece = co_await body.next()) {
            all += *piece;
            co_await sleep_for(1s);
            co_await twice(1);
        }
        co_return text(all);
    });
    for (int steps = 0; steps < 12; ++steps) {
        auto exchange = probe.open("POST", "/", {{"Content-Length", "4"}});
        for (int i = 0; i < steps; ++i) i % 3 == 0 ? exchange.send("x") : probe.advance(1s);
        exchange.leave();
        ASSERT_EQ(alive, 0) << steps;
    }
}

}  // namespace
}  // namespace weir::web
