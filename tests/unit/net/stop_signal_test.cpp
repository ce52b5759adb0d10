#include "net/stop_signal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <vector>

#include "net/clock.h"
#include "support/readable.h"

namespace weir::net {
namespace {

using enum StopSignal::State;
using tests::is_readable;

TEST(StopSignal, StartsRunning) {
    const StopSignal stop;
    EXPECT_EQ(stop.state(), running);
    EXPECT_FALSE(is_readable(stop.descriptor(running)));
    EXPECT_FALSE(is_readable(stop.descriptor(draining)));
    EXPECT_EQ(stop.descriptor(now), -1);
}

TEST(StopSignal, DrainsThenStopsAtOnce) {
    StopSignal stop;
    stop.request_drain();
    EXPECT_EQ(stop.state(), draining);
    EXPECT_TRUE(is_readable(stop.descriptor(running)));
    EXPECT_TRUE(is_readable(stop.descriptor(running)));  // and stays readable
    EXPECT_FALSE(is_readable(stop.descriptor(draining)));
    stop.request_now();
    EXPECT_EQ(stop.state(), now);
    EXPECT_TRUE(is_readable(stop.descriptor(draining)));
}

TEST(StopSignal, StopsAtOnceWithoutDraining) {
    StopSignal stop;
    stop.request_now();
    EXPECT_EQ(stop.state(), now);
    EXPECT_TRUE(is_readable(stop.descriptor(running)));
    EXPECT_TRUE(is_readable(stop.descriptor(draining)));
}

TEST(StopSignal, NeverGoesBack) {
    StopSignal stop;
    stop.request_now();
    stop.request_drain();
    EXPECT_EQ(stop.state(), now);
}

TEST(StopSignal, RemembersWhenItWasFirstRequested) {
    StopSignal stop;
    EXPECT_EQ(stop.requested_at(), never);
    const Instant before = read_clock().instant;
    stop.request_drain();
    const Instant first = stop.requested_at();
    EXPECT_GE(first, before);
    EXPECT_LE(first, read_clock().instant);
    while (read_clock().instant == first) std::this_thread::yield();
    stop.request_now();
    EXPECT_EQ(stop.requested_at(), first);
}

TEST(StopSignal, WakesAllWhoWait) {
    constexpr int for_ever = -1;
    StopSignal stop;
    std::vector<std::jthread> waiting;
    for (int i = 0; i < 4; ++i)
        waiting.emplace_back([&] { EXPECT_TRUE(is_readable(stop.descriptor(running), for_ever)); });
    stop.request_drain();
}

TEST(StopSignal, IsOneForAllProcessesThatAreForked) {
    StopSignal stop;
    const pid_t child = ::fork();
    if (child == 0) {
        is_readable(stop.descriptor(running), -1);
        const bool drains = stop.state() == draining && stop.requested_at() != never;
        stop.request_now();
        ::_exit(drains ? 0 : 1);
    }
    stop.request_drain();
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(stop.state(), now);
    EXPECT_TRUE(is_readable(stop.descriptor(draining)));
}

StopSignal* stop_of_handler = nullptr;

TEST(StopSignal, MayBeCalledBySignalHandlers) {
    StopSignal stop;
    stop_of_handler = &stop;
    const auto before = std::signal(SIGUSR2, [](int) { stop_of_handler->request_drain(); });
    errno = 77;
    std::raise(SIGUSR2);
    EXPECT_EQ(errno, 77);
    std::signal(SIGUSR2, before);
    EXPECT_EQ(stop.state(), draining);
}

}  // namespace
}  // namespace weir::net
