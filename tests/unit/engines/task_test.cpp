#include "engines/loop/task.h"

#include <gtest/gtest.h>

#include <coroutine>
#include <stdexcept>
#include <string>
#include <utility>

namespace weir::engines {
namespace {

/// Says when it goes.
struct Local {
    explicit Local(std::string& of_test) : log{of_test} {}
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;
    ~Local() { log += "gone "; }
    std::string& log;
};

Task two_stops(std::string& log) {
    const Local local{log};
    log += "begins ";
    co_await std::suspend_always{};
    log += "goes on ";
    co_await std::suspend_always{};
    log += "ends ";
}

TEST(Task, BeginsWithItsFirstResume) {
    std::string log;
    auto task = two_stops(log);
    EXPECT_EQ(log, "");
    task.resume();
    EXPECT_EQ(log, "begins ");
}

TEST(Task, GoesOnFromWhereItStopped) {
    std::string log;
    auto task = two_stops(log);
    for (int i = 0; i < 2; ++i) task.resume();
    EXPECT_EQ(log, "begins goes on ");
    EXPECT_FALSE(task.is_done());
    task.resume();
    EXPECT_EQ(log, "begins goes on ends gone ");
    EXPECT_TRUE(task.is_done());
}

TEST(Task, TakesItsFrameAlongWhereverItStopped) {
    std::string log;
    auto task = two_stops(log);
    task.resume();
    task = {};
    EXPECT_EQ(log, "begins gone ");
    { const auto never_resumed = two_stops(log); }
    EXPECT_EQ(log, "begins gone ");  // what it never came to was never there
}

TEST(Task, MovesWithoutItsFrame) {
    std::string log;
    auto task = two_stops(log);
    task.resume();
    Task other = std::move(task);
    Task another;
    another = std::move(other);
    another.resume();
    EXPECT_EQ(log, "begins goes on ");
}

Task throws() {
    co_await std::suspend_always{};
    throw std::runtime_error{"of the body"};
}

TEST(Task, LetsExceptionsOutToWhoResumedIt) {
    auto task = throws();
    task.resume();
    EXPECT_THROW(task.resume(), std::runtime_error);
    EXPECT_TRUE(task.is_done());
}

}  // namespace
}  // namespace weir::engines
