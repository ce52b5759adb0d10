#include "engines/threads/queue_delay.h"

#include <gtest/gtest.h>

namespace weir::engines {
namespace {

using std::chrono::milliseconds;

Instant at(std::int64_t milliseconds_on) { return Instant{milliseconds{milliseconds_on}}; }

TEST(QueueDelay, LetsABurstPass) {
    QueueDelay delay{milliseconds{50}};
    EXPECT_FALSE(delay.is_too_long(at(1'000), at(1'060)));
    EXPECT_FALSE(delay.is_too_long(at(1'000), at(1'159))) << "not yet the interval";
    EXPECT_FALSE(delay.is_too_long(at(1'180), at(1'200))) << "the queue is short again";
    EXPECT_FALSE(delay.is_too_long(at(1'000), at(1'201)));
    EXPECT_FALSE(delay.is_too_long(at(1'000), at(1'300)));
}

TEST(QueueDelay, TurnsAwayWhileTheQueueStands) {
    QueueDelay delay{milliseconds{50}};
    EXPECT_FALSE(delay.is_too_long(at(1'000), at(1'050)));
    EXPECT_TRUE(delay.is_too_long(at(1'000), at(1'150)));
    EXPECT_TRUE(delay.is_too_long(at(1'101), at(1'151)));
    EXPECT_FALSE(delay.is_too_long(at(1'102), at(1'151))) << "it waited for less";
    EXPECT_FALSE(delay.is_too_long(at(1'000), at(1'152))) << "and so the interval begins anew";
}

TEST(QueueDelay, WithoutALimitReadsNoClock) {
    QueueDelay delay{milliseconds{0}};
    EXPECT_EQ(delay.now(), Instant{});
    EXPECT_FALSE(delay.is_too_long(Instant{}));
}

TEST(QueueDelay, ReadsTheClockWithALimit) {
    QueueDelay delay{milliseconds{1}};
    EXPECT_NE(delay.now(), Instant{});
    EXPECT_FALSE(delay.is_too_long(Instant{}));
    EXPECT_FALSE(delay.is_too_long(delay.now() + milliseconds{1'000})) << "it came just now";
}

}  // namespace
}  // namespace weir::engines
