#include "net/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <climits>
#include <ctime>
#include <set>

namespace weir::net {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(Clock, ReadsBothClocks) {
    // The coarse clocks are at most one tick behind the precise ones, and never ahead of them.
    const auto before = std::time(nullptr) - 1;
    const Now now = read_clock();
    EXPECT_GE(now.unix_seconds, before);
    EXPECT_LE(now.unix_seconds, std::time(nullptr));
    timespec precise;
    ::clock_gettime(CLOCK_MONOTONIC, &precise);
    const microseconds uptime{precise.tv_sec * 1'000'000 + precise.tv_nsec / 1'000};
    EXPECT_LE(now.instant.time_since_epoch(), uptime);
    EXPECT_GT(now.instant.time_since_epoch(), uptime - milliseconds{10'000});
    EXPECT_GE(read_clock().instant, now.instant);
}

TEST(Clock, ReadsTheTimeOfDay) {
    const auto before = std::time(nullptr) - 1;
    const WallTime wall = read_wall_clock();
    EXPECT_GE(wall.unix_seconds, before);
    EXPECT_LE(wall.unix_seconds, std::time(nullptr));
    EXPECT_LT(wall.microseconds, 1'000'000U);
}

TEST(Clock, CountsMicrosecondsWhereItIsAskedTo) {
    use_precise_instants();
    // A coarse clock stays the same for a tick of 1 ms or more, the precise one does not.
    std::set<std::int64_t> parts;
    const Instant begin = read_instant();
    for (Instant now = begin; parts.size() < 3; now = read_instant())
        parts.insert((now - begin).count() % 1'000);
    EXPECT_GE(read_instant(), begin);
}

TEST(Clock, TellsHowLongToWait) {
    const Instant now{milliseconds{1'000}};
    EXPECT_EQ(wait_milliseconds(now + milliseconds{25}, now), 25);
    EXPECT_EQ(wait_milliseconds(now + microseconds{1}, now), 1) << "it would spin until then";
    EXPECT_EQ(wait_milliseconds(now + microseconds{1'001}, now), 2);
    EXPECT_EQ(wait_milliseconds(now, now), 0);
    EXPECT_EQ(wait_milliseconds(now - milliseconds{1}, now), 0);
    EXPECT_EQ(wait_milliseconds(Instant::min(), now), 0);
    EXPECT_EQ(wait_milliseconds(never, now), -1);
    EXPECT_EQ(wait_milliseconds(now + std::chrono::days{365}, now), INT_MAX);
}

}  // namespace
}  // namespace weir::net
