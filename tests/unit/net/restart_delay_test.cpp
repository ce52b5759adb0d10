#include "net/restart_delay.h"

#include <gtest/gtest.h>

namespace weir::net {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

TEST(RestartDelay, AWorkerThatServedForAWhileIsReplacedAtOnce) {
    RestartDelay delay;
    EXPECT_EQ(delay.after_death(RestartLimits{}.soon), 0ms);
    EXPECT_EQ(delay.after_death(24h), 0ms);
    EXPECT_EQ(delay.early_deaths(), 0u);
}

TEST(RestartDelay, AWorkerThatDiesAgainAndAgainWaitsTwiceAsLongEachTime) {
    RestartDelay delay;
    for (const auto expected : {100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 5000ms, 5000ms})
        EXPECT_EQ(delay.after_death(40ms), expected);
    EXPECT_EQ(delay.early_deaths(), 8u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(delay.after_death(0ms), RestartLimits{}.most);
}

TEST(RestartDelay, OneThatServedForAWhileEndsTheRow) {
    RestartDelay delay;
    delay.after_death(0ms);
    delay.after_death(0ms);
    EXPECT_EQ(delay.after_death(1s), 0ms);
    EXPECT_EQ(delay.after_death(0ms), RestartLimits{}.first);
}

TEST(RestartDelay, OtherLimitsAreKept) {
    RestartDelay delay{{.soon = 1h, .first = 1s, .most = 1h}};
    for (const auto expected : {1s, 2s, 4s, 8s}) EXPECT_EQ(delay.after_death(59min), expected);
    for (int i = 0; i < 100; ++i) delay.after_death(0ms);
    EXPECT_EQ(delay.after_death(0ms), 1h);
    EXPECT_EQ(delay.after_death(1h), 0ms);
}

}  // namespace
}  // namespace weir::net
