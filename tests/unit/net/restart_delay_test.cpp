#include "net/restart_delay.h"

#include <gtest/gtest.h>

namespace weir::net {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

TEST(RestartDelay, AWorkerThatServedForAWhileIsReplacedAtOnce) {
    RestartDelay delay;
    EXPECT_EQ(delay.after_death(RestartDelay::soon), 0ms);
    EXPECT_EQ(delay.after_death(24h), 0ms);
    EXPECT_EQ(delay.early_deaths(), 0u);
}

TEST(RestartDelay, AWorkerThatDiesAgainAndAgainWaitsTwiceAsLongEachTime) {
    RestartDelay delay;
    for (const auto expected : {100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 5000ms, 5000ms})
        EXPECT_EQ(delay.after_death(40ms), expected);
    EXPECT_EQ(delay.early_deaths(), 8u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(delay.after_death(0ms), RestartDelay::most);
}

TEST(RestartDelay, OneThatServedForAWhileEndsTheRow) {
    RestartDelay delay;
    delay.after_death(0ms);
    delay.after_death(0ms);
    EXPECT_EQ(delay.after_death(1s), 0ms);
    EXPECT_EQ(delay.after_death(0ms), RestartDelay::first);
}

}  // namespace
}  // namespace weir::net
