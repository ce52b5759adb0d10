#include "weir/server/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "net/clock.h"
#include "support/gate.h"
#include "weir/web/await.h"
#include "weir/web/flag.h"
#include "weir/web/readable.h"
#include "weir/web/task_group.h"
#include "weir/web/together.h"

namespace weir::server {
namespace {

using std::chrono::milliseconds;
using web::Task;

constexpr milliseconds moment{20};

Task<int> sum(int one, int two) { co_return one + two; }

TEST(Run, ReturnsTheValue) {
    EXPECT_EQ(run(sum(1, 2)), 3);
    auto twice = [] -> Task<std::unique_ptr<int>> {
        const int half = co_await sum(1, 2);
        co_return std::make_unique<int>(2 * half);
    };
    EXPECT_EQ(*run(twice()), 6);
}

TEST(Run, ReturnsFromATaskWithoutAValue) {
    bool has_run = false;
    auto task = [&] -> Task<> {
        has_run = true;
        co_return;
    };
    run(task());
    EXPECT_TRUE(has_run);
}

TEST(Run, ThrowsTheExceptionOfTheTask) {
    const auto alive = std::make_shared<int>(1);
    auto fails = [](std::shared_ptr<int> /*kept*/) -> Task<int> {
        co_await web::sleep_for(milliseconds{1});
        throw std::runtime_error{"no luck"};
    };
    EXPECT_THROW(run(fails(alive)), std::runtime_error);
    EXPECT_EQ(alive.use_count(), 1);
}

TEST(Run, TakesNoTaskThatIsEmptyOrAwaited) {
    EXPECT_THROW(run(Task<int>{}), std::logic_error);
    auto takes_twice = [] -> Task<> {
        auto task = sum(1, 2);
        co_await std::move(task);
        run(std::move(task));
    };
    EXPECT_THROW(run(takes_twice()), std::logic_error);
}

TEST(Run, DestroysTheFrameBeforeItReturns) {
    const auto alive = std::make_shared<int>(1);
    auto task = [](std::shared_ptr<int> kept) -> Task<int> { co_return *kept; };
    EXPECT_EQ(run(task(alive)), 1);
    EXPECT_EQ(alive.use_count(), 1);
}

TEST(Run, Sleeps) {
    const Instant before = net::read_instant();
    auto sleeps = [] -> Task<> {
        co_await web::sleep_for(moment);
        co_await web::sleep_for(moment);
    };
    run(sleeps());
    EXPECT_GE(net::read_instant() - before, 2 * moment);
}

TEST(Run, GoesOnAtItsThreadAfterWorkOfAnother) {
    web::Workers workers{1};
    auto task = [&] -> Task<std::thread::id> {
        const auto other = co_await web::offload(workers, std::this_thread::get_id);
        EXPECT_NE(other, std::this_thread::get_id());
        co_return std::this_thread::get_id();
    };
    EXPECT_EQ(run(task()), std::this_thread::get_id());
}

TEST(Run, IsWokenByAnotherThread) {
    const web::Flag flag;
    const tests::Gate waits;
    const std::jthread other{[&] {
        waits.await();
        flag.set();
    }};
    auto opens = [&] -> Task<> {
        waits.open();
        co_return;
    };
    auto task = [&] -> Task<> { co_await web::when_all(flag.wait(), opens()); };
    run(task());
    EXPECT_TRUE(flag.is_set());
}

TEST(Run, WaitsForADescriptor) {
    const tests::Gate gate;
    web::Workers workers{1};
    auto task = [&] -> Task<> {
        auto waits = [&] -> Task<> { co_await web::readable(gate.fd()); };
        auto opens = [&] { gate.open(); };
        co_await web::when_all(waits(), web::offload(workers, std::ref(opens)));
    };
    run(task());
    EXPECT_TRUE(gate.is_open());
}

/// The tasks of a group wake each other: the loop does not sleep meanwhile.
TEST(Run, RunsManyTasks) {
    constexpr int count = 300;
    int ended = 0;
    auto task = [&] -> Task<> {
        auto all = [&](web::TaskGroup& tasks) -> Task<> {
            const web::Flag flag;
            auto one = [&ended](web::Flag first) -> Task<> {
                co_await first.wait();
                ++ended;
            };
            for (int i = 0; i < count; ++i) tasks.start(one(flag));
            co_await web::sleep_for(milliseconds{1});
            flag.set();
            co_await tasks.all();
        };
        co_await web::task_group(all);
    };
    run(task());
    EXPECT_EQ(ended, count);
}

/// The work of another thread can't end early, and uses objects of the coroutine until then.
TEST(Run, WaitsForWorkThatIsNotWanted) {
    const tests::Gate gate;
    web::Workers workers{1};
    std::atomic<bool> has_worked = false;
    auto task = [&] -> Task<> {
        auto work = [&] {
            gate.await();
            has_worked = true;
        };
        auto opens = [&] -> Task<> {
            co_await web::sleep_for(moment);
            gate.open();
            co_await web::sleep_for(moment);
        };
        auto gives_up = [&] -> Task<> {
            co_await web::with_timeout(milliseconds{1}, web::offload(workers, std::ref(work)));
        };
        co_await web::when_all(gives_up(), opens());
    };
    EXPECT_THROW(run(task()), web::TimedOut);
    EXPECT_TRUE(has_worked);
}

TEST(Run, MayRunWithinATaskOfAnother) {
    auto outer = [] -> Task<int> {
        auto inner = [] -> Task<int> {
            co_await web::sleep_for(milliseconds{1});
            co_return 1;
        };
        const int found = run(inner());
        co_await web::sleep_for(milliseconds{1});
        co_return found + 1;
    };
    EXPECT_EQ(run(outer()), 2);
}

TEST(Run, RunsOnSeveralThreads) {
    std::atomic<int> total = 0;
    {
        const web::Flag flag;
        auto task = [&](int value) -> Task<> {
            co_await flag.wait();
            total += value;
        };
        const std::jthread one{[&] { run(task(1)); }};
        const std::jthread two{[&] { run(task(2)); }};
        flag.set();
    }
    EXPECT_EQ(total, 3);
}

}  // namespace
}  // namespace weir::server
