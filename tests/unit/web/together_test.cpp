#include <gtest/gtest.h>

#include <array>
#include <coroutine>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>

#include "web/stream/outflow.h"
#include "weir/web/body.h"
#include "weir/web/channel.h"
#include "weir/web/flag.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/stream.h"
#include "weir/web/task_group.h"
#include "weir/web/together.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct Together : ::testing::Test {
    /// Counts its copies: one for each frame that lives.
    std::shared_ptr<int> alive = std::make_shared<int>();
    Workers workers{2};
    Router router;
    Probe probe{router};

    long frames() const { return alive.use_count() - 1; }
};

Task<int> after(std::chrono::milliseconds time, int value, std::shared_ptr<int> alive = {}) {
    const auto local = std::move(alive);
    co_await sleep_for(time);
    co_return value;
}

/// A foreign awaiter. Keeps the handle for the test, which resumes it.
struct Kept {
    std::coroutine_handle<>& handle;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> frame) const noexcept { handle = frame; }
    void await_resume() const noexcept {}
};

Task<> fail_after(std::chrono::milliseconds time) {
    co_await sleep_for(time);
    throw std::runtime_error{"failed"};
}

TEST_F(Together, AnyIsTheFirstOne) {
    router.get("/", [&](Call) -> Task<Response> {
        const auto first =
            co_await when_any(after(2s, 7, alive), sleep_for(1s), after(3s, 8, alive));
        EXPECT_EQ(first.index(), 1U);
        EXPECT_EQ(frames(), 0);
        const auto second = co_await when_any(sleep_for(2s), after(1s, 7, alive));
        co_return text(std::to_string(std::get<1>(second)));
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(frames(), 2);
    probe.advance(1s);
    EXPECT_EQ(frames(), 1);
    probe.advance(1s);
    EXPECT_EQ(exchange.answer().content, "7");
}

TEST_F(Together, AnyDoesNotBeginWhatComesAfterOneThatIsReady) {
    router.get("/", [&](Call) -> Task<Response> {
        const auto first = co_await when_any(sleep_for(0s), after(0s, 1), fail_after(0s));
        co_return text(std::to_string(first.index()));
    });
    EXPECT_EQ(probe.get("/").content, "0");
}

TEST_F(Together, AllAreWaitedFor) {
    router.get("/", [&](Call) -> Task<Response> {
        const auto [number, nothing, content, ready] = co_await when_all(
            after(2s, 7), sleep_for(1s), offload(workers, [] { return std::string{"there"}; }),
            std::suspend_never{});
        static_assert(std::is_same_v<decltype(nothing), const std::monostate>);
        static_assert(!std::is_default_constructible_v<TaskGroup>);  // nothing would run its tasks
        static_assert(std::is_same_v<decltype(ready), const std::monostate>);
        co_return text(content + std::to_string(number));
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(1999ms);
    EXPECT_FALSE(exchange.answer().is_complete);
    probe.advance(1ms);
    EXPECT_EQ(exchange.wait().content, "there7");
}

TEST_F(Together, AllEndWhereOneFails) {
    router.get("/", [&](Call) -> Task<Response> {
        try {
            co_await when_all(after(1h, 1, alive), fail_after(1s), sleep_for(1h));
        } catch (const std::runtime_error& error) {
            EXPECT_EQ(frames(), 0);
            co_return text(error.what());
        }
        co_return text("no error");
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(frames(), 1);
    probe.advance(1s);
    EXPECT_EQ(exchange.answer().content, "failed");
}

TEST_F(Together, TimeoutsAreRefusals) {
    router.get("/in-time", [&](Call) -> Task<Response> {
        const int value = co_await with_timeout(2s, after(1s, 7));
        co_await with_timeout(2s, sleep_for(1s));
        co_return text(std::to_string(value));
    });
    router.get("/late", [&](Call) -> Task<Response> {
        co_await with_timeout(2s, after(3s, 7, alive));
        co_return Response{};
    });
    auto in_time = probe.open("GET", "/in-time");
    auto late = probe.open("GET", "/late");
    probe.advance(2s);
    EXPECT_EQ(in_time.answer().content, "7");
    EXPECT_EQ(late.answer().status, 503u);
    EXPECT_EQ(frames(), 0);
}

TEST_F(Together, WorkOnAnotherThreadIsWaitedFor) {
    std::latch goes_on{1};
    router.get("/", [&](Call) -> Task<Response> {
        bool has_ended = false;
        const auto work = [&] {
            goes_on.wait();
            has_ended = true;
        };
        co_await when_any(sleep_for(1s), offload(workers, work));
        co_return text(has_ended ? "has ended" : "runs");
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(2s);
    EXPECT_FALSE(exchange.answer().is_complete);
    goes_on.count_down();
    EXPECT_EQ(exchange.wait().content, "has ended");
}

/// A coroutine with work on another thread, beside others.
Task<> work(Workers& workers, std::latch& goes_on, std::shared_ptr<int> alive) {
    const auto local = std::move(alive);
    co_await offload(workers, [&] { goes_on.wait(); });
}

TEST_F(Together, ThatARequestLeavesKeepTheFrameUntilTheLastThreadIsDone) {
    std::latch first{1};
    std::latch second{1};
    auto own = std::make_unique<Workers>(2);
    router.get("/", [&](Call) -> Task<Response> {
        const auto local = alive;
        co_await when_all(offload(*own, [&] { first.wait(); }), sleep_for(1h),
                          when_any(work(*own, second, alive), after(1h, 1, alive)));
        ADD_FAILURE() << "the request has ended";
        co_return Response{};
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(frames(), 3);
    exchange.leave();
    EXPECT_EQ(frames(), 3);
    first.count_down();
    EXPECT_GE(frames(), 3);  // the second thread still works
    second.count_down();
    own.reset();  // waits for both
    EXPECT_EQ(frames(), 0);
}

TEST_F(Together, ForeignAwaitersAreWaitedFor) {
    std::coroutine_handle<> handle;
    router.get("/", [&](Call) -> Task<Response> {
        co_await when_any(sleep_for(1s), Kept{handle});
        co_return text("over");
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(1s);
    EXPECT_FALSE(exchange.answer().is_complete);
    std::thread{[handle] { handle.resume(); }}.join();
    EXPECT_EQ(exchange.wait().content, "over");
}

TEST_F(Together, ContentIsAskedForByAPart) {
    router.post("/", [&](Call call) -> Task<Response> {
        auto body = call.body();
        const auto first = co_await when_any(sleep_for(1s), body.all());
        co_return text(first.index() == 0 ? "late" : std::string{std::get<1>(first)});
    });
    EXPECT_EQ(probe.post("/", "content").content, "content");
    auto slow = probe.open("POST", "/", {{"Content-Length", "3"}});
    slow.send("ab");
    probe.advance(1s);
    EXPECT_EQ(slow.answer().content, "late");
}

TEST_F(Together, APieceThatWasNotSentIsTakenBack) {
    router.get("/", [&](const Call& call) {
        return stream(call, "text/plain", [](Stream out) -> Task<> {
            co_await out.write("first ");
            const std::string never(1'000'000, 'x');
            const auto second = co_await when_any(sleep_for(0s), out.write(never));
            co_await out.write(std::to_string(second.index()));
        });
    });
    EXPECT_EQ(probe.get("/").content, "first 0");
}

/// Delivers nothing: the test drives the stream.
struct Nowhere final : http::Postbox {
    void answer(http::Ticket, Response&&) override {}
    void wake(http::Ticket) override {}
};

TEST(OutflowOfSeveral, CompletesAPieceThatWasPartlySent) {
    const http::Waker waker{std::make_shared<Nowhere>(), {}};
    detail::Runner runner{waker, nullptr};
    detail::Outflow outflow{waker};
    std::array<char, 4> some{};
    std::array<char, 100> rest{};
    {
        const std::string text = "partly sent";
        detail::Write partly{outflow, std::string_view{text}};
        detail::Write not_begun{outflow, std::string(40, 'x')};
        detail::Write all{outflow, std::string_view{"next"}};
        for (detail::Write* const write : {&partly, &not_begun, &all}) {
            write->note_awaited();
            EXPECT_TRUE(write->begin(runner));
        }
        EXPECT_EQ(outflow.take(some), some.size());
        EXPECT_TRUE(partly.end());
        EXPECT_TRUE(not_begun.end());
        EXPECT_EQ(outflow.take(rest), 11U);
        EXPECT_TRUE(all.end());  // all of it was taken
    }
    EXPECT_EQ(std::string(some.data(), 4) + std::string(rest.data(), 11), "partly sentnext");
    outflow.note_sent();
    EXPECT_EQ(outflow.take(rest), 0U);
}

// ---- groups ----

Task<> tick(Channel<std::string> channel, std::shared_ptr<int> alive) {
    const auto local = std::move(alive);
    for (;;) {
        co_await sleep_for(1s);
        co_await channel.send("tick ");
    }
}

TEST_F(Together, TasksOfAGroupEndWithIt) {
    Channel<std::string> channel{1};
    router.get("/", [&](Call) -> Task<Response> {
        const std::string all = co_await task_group([&](TaskGroup& tasks) -> Task<std::string> {
            tasks.start(tick(channel, alive));
            tasks.start(tick(channel, alive));
            std::string heard;
            for (int i = 0; i < 4; ++i) heard += *co_await channel.receive();
            co_return heard;
        });
        EXPECT_EQ(frames(), 0);
        co_return text(all);
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(frames(), 2);
    probe.advance(1s);
    EXPECT_FALSE(exchange.answer().is_complete);
    probe.advance(1s);
    EXPECT_EQ(exchange.wait().content, "tick tick tick tick ");
}

Task<> add(int& sum, int value, TaskGroup& tasks) {
    co_await sleep_for(std::chrono::seconds{value});
    sum += value;
    if (value > 1) tasks.start(add(sum, value - 1, tasks));
}

TEST_F(Together, TasksMayStartOthersAndBeWaitedFor) {
    router.get("/", [&](Call) -> Task<Response> {
        int sum = 0;
        co_await task_group([&](TaskGroup& tasks) -> Task<> {
            tasks.start(add(sum, 3, tasks));
            tasks.start(add(sum, 1, tasks));
            EXPECT_EQ(tasks.count(), 2U);
            co_await tasks.all();
            co_await tasks.all();
        });
        co_return text(std::to_string(sum));
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(5s);
    EXPECT_FALSE(exchange.answer().is_complete);
    probe.advance(1s);
    EXPECT_EQ(exchange.answer().content, "7");
}

Task<> wait_for(Flag flag) { co_await flag.wait(); }

TEST_F(Together, AGroupGoesOnWithTheWakeUpOfItsLastTask) {
    const Flag flag;
    router.get("/", [&](Call) -> Task<Response> {
        co_await task_group([&](TaskGroup& tasks) -> Task<> {
            tasks.start(wait_for(flag));
            co_await tasks.all();
        });
        co_return text("went on");
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_FALSE(exchange.answer().is_complete);
    std::thread{[flag] { flag.set(); }}.join();
    EXPECT_EQ(exchange.answer().content, "went on") << "there is no other wake-up";
}

/// Uses the text on another thread, when the latch allows it.
Task<> use(const std::string* text, Workers& workers, std::latch& goes_on, bool& is_whole) {
    co_await offload(workers, [&] {
        goes_on.wait();
        is_whole = *text == std::string(100, 'x');
    });
}

TEST_F(Together, AGroupWaitsForThreadsThatUseObjectsOfItsCoroutines) {
    std::latch goes_on{1};
    router.get("/returns", [&](Call) -> Task<Response> {
        bool is_whole = false;
        const std::string text(100, 'x');
        co_await task_group([&](TaskGroup& tasks) -> Task<> {
            tasks.start(use(&text, workers, goes_on, is_whole));
            co_await sleep_for(1s);
        });
        co_return web::text(is_whole ? "whole" : "gone");
    });
    router.get("/fails", [&](Call) -> Task<Response> {
        bool is_whole = false;
        try {
            co_await task_group([&](TaskGroup& tasks) -> Task<> {
                const std::string text(100, 'x');
                tasks.start(use(&text, workers, goes_on, is_whole));
                tasks.start(fail_after(1s));
                co_await sleep_for(1h);
            });
        } catch (const std::runtime_error& error) {
            co_return text(is_whole ? error.what() : "gone");
        }
        co_return text("no error");
    });
    auto returns = probe.open("GET", "/returns");
    auto fails = probe.open("GET", "/fails");
    probe.advance(2s);
    EXPECT_FALSE(returns.answer().is_complete);
    EXPECT_FALSE(fails.answer().is_complete);
    goes_on.count_down();
    EXPECT_EQ(returns.wait().content, "whole");
    EXPECT_EQ(fails.wait().content, "failed");
}

TEST_F(Together, ATaskThatFailsEndsItsGroup) {
    router.get("/", [&](Call) -> Task<Response> {
        std::string caught;
        try {
            co_await task_group([&](TaskGroup& tasks) -> Task<> {
                const auto local = alive;
                tasks.start(fail_after(1s));
                co_await after(1h, 1, alive);
            });
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
        EXPECT_EQ(frames(), 0);
        try {
            co_await task_group([&](TaskGroup& tasks) -> Task<> {
                tasks.start(Task<>{});
                co_return;
            });
        } catch (const std::logic_error& error) {
            caught.append(", ").append(error.what());
        }
        co_return text(caught);
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(frames(), 2);
    probe.advance(1s);
    EXPECT_EQ(exchange.answer().content, "failed, an empty Task was awaited");
}

TEST_F(Together, AGroupEndsWithItsRequest) {
    Channel<std::string> channel{1};
    router.get("/", [&](Call) -> Task<Response> {
        co_await task_group([&](TaskGroup& tasks) -> Task<> {
            tasks.start(tick(channel, alive));
            co_await sleep_for(1h);
        });
        co_return Response{};
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(3s);  // the task waits for room in the channel
    EXPECT_EQ(frames(), 1);
    exchange.leave();
    EXPECT_EQ(frames(), 0);
    EXPECT_TRUE(channel.try_receive());
    EXPECT_FALSE(channel.try_receive());
}

}  // namespace
}  // namespace weir::web
