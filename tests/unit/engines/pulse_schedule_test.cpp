#include "engines/processes/pulse_schedule.h"

#include <gtest/gtest.h>

namespace weir::engines {
namespace {

using namespace std::chrono_literals;
using Look = PulseSchedule::Look;

constexpr Instant start{1h};

TEST(PulseSchedule, AsksThreeTimesInTheTimeout) {
    PulseSchedule schedule{30s, start};
    EXPECT_EQ(schedule.look(start + 9'999ms), Look::not_yet);
    for (const auto time : {10s, 20s, 30s}) {
        EXPECT_EQ(schedule.next(), start + time);
        EXPECT_EQ(schedule.look(start + time), Look::on_time);
        EXPECT_EQ(schedule.look(start + time), Look::not_yet);
    }
}

TEST(PulseSchedule, AsksNobodyWithoutATimeout) {
    PulseSchedule schedule{0s, start};
    EXPECT_EQ(schedule.next(), never);
    EXPECT_EQ(schedule.look(start + 24h), Look::not_yet);
}

TEST(PulseSchedule, KnowsThatTheSupervisorSlept) {
    PulseSchedule schedule{30s, start};
    EXPECT_EQ(schedule.look(start + 20s), Look::on_time);
    EXPECT_EQ(schedule.look(start + 1h), Look::late);
    EXPECT_EQ(schedule.next(), start + 1h + 10s);
    EXPECT_EQ(schedule.look(start + 1h + 10s), Look::on_time);
}

TEST(PulseSchedule, OfAShortTimeoutDoesNotSpin) {
    PulseSchedule schedule{1ms, start};
    EXPECT_EQ(schedule.look(start + 1ms), Look::on_time);
    EXPECT_EQ(schedule.next(), start + 2ms);
}

}  // namespace
}  // namespace weir::engines
