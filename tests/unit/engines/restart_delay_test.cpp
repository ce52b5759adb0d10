#include "engines/processes/restart_delay.h"

#include <gtest/gtest.h>

#include "engines/processes/durations.h"

namespace weir::engines {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

TEST(RestartDelay, WhoServedForAWhileIsReplacedAtOnce) {
    RestartDelay delay;
    EXPECT_EQ(delay.after_death(RestartDelay::soon), 0ms);
    EXPECT_EQ(delay.after_death(24h), 0ms);
    EXPECT_EQ(delay.early_deaths(), 0u);
}

TEST(RestartDelay, WhoDiesAgainAndAgainWaitsTwiceAsLongEachTime) {
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

TEST(Durations, AreWrittenForHumans) {
    EXPECT_EQ(in_words(0ms), "0 ms");
    EXPECT_EQ(in_words(999ms), "999 ms");
    EXPECT_EQ(in_words(1s), "1 s");
    EXPECT_EQ(in_words(1650ms), "1.6 s");
    EXPECT_EQ(in_words(5s), "5 s");
    EXPECT_EQ(in_words(90'500ms), "90 s");
}

TEST(Durations, OrdinalsAreEnglish) {
    EXPECT_EQ(ordinal(1), "1st");
    EXPECT_EQ(ordinal(2), "2nd");
    EXPECT_EQ(ordinal(3), "3rd");
    EXPECT_EQ(ordinal(4), "4th");
    EXPECT_EQ(ordinal(11), "11th");
    EXPECT_EQ(ordinal(12), "12th");
    EXPECT_EQ(ordinal(21), "21st");
    EXPECT_EQ(ordinal(113), "113th");
}

}  // namespace
}  // namespace weir::engines
