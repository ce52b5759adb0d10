#include "http/answer/date.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace weir::http {
namespace {

constexpr std::int64_t now = 1'800'000'000;  // 2027-01-15T08:00:00Z

std::string rendered(std::int64_t unix_seconds) {
    std::array<char, date_size> text;
    render_date(unix_seconds, text);
    return {text.data(), text.size()};
}

TEST(RenderDate, WritesImfFixdate) {
    EXPECT_EQ(rendered(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(rendered(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(rendered(951827696), "Tue, 29 Feb 2000 12:34:56 GMT");
    EXPECT_EQ(rendered(253402300799), "Fri, 31 Dec 9999 23:59:59 GMT");
}

TEST(RenderDate, ParsesBackOnEveryDayOfTheFirstFiveHundredYears) {
    for (std::int64_t day = 0; day < 500 * 366; ++day) {
        const std::int64_t seconds = day * 86'400 + day % 86'400;
        ASSERT_EQ(parse_date(rendered(seconds), now), seconds);
    }
}

TEST(ParseDate, ReadsAllThreeForms) {
    EXPECT_EQ(parse_date("Sun, 06 Nov 1994 08:49:37 GMT", now), 784111777);
    EXPECT_EQ(parse_date("Sunday, 06-Nov-94 08:49:37 GMT", now), 784111777);
    EXPECT_EQ(parse_date("Sun Nov  6 08:49:37 1994", now), 784111777);
    EXPECT_EQ(parse_date("Wed Nov 16 08:49:37 1994", now), 784111777 + 10 * 86'400);
}

TEST(ParseDate, TakesTwoDigitsForTheLatestYearAtMostFiftyAhead) {
    EXPECT_EQ(parse_date("Friday, 01-Jan-77 00:00:00 GMT", now), 3376684800);    // 2077
    EXPECT_EQ(parse_date("Saturday, 16-Jan-77 00:00:00 GMT", now), 222220800);   // 1977
    EXPECT_EQ(parse_date("Thursday, 15-Jan-77 08:00:00 GMT", now), 3377923200);  // 50 years
    EXPECT_EQ(parse_date("Thursday, 15-Jan-77 08:00:01 GMT", now), 222163201);   // and one second
    constexpr std::int64_t in_2099 = 4'076'000'000;
    EXPECT_EQ(parse_date("Thursday, 01-Jan-05 00:00:00 GMT", in_2099), 4260211200);  // 2105
    EXPECT_EQ(parse_date("Tuesday, 29-Feb-00 00:00:00 GMT", now), 951782400);  // 2000, not 2100
}

TEST(ParseDate, TakesLeapDaysAndLeapSeconds) {
    EXPECT_EQ(parse_date("Thu, 29 Feb 1996 00:00:00 GMT", now), 825552000);
    EXPECT_EQ(parse_date("Sat, 31 Dec 2016 23:59:60 GMT", now), 1483228800);
}

class NoDate : public testing::TestWithParam<const char*> {};

TEST_P(NoDate, IsRefused) { EXPECT_EQ(parse_date(GetParam(), now), std::nullopt); }

INSTANTIATE_TEST_SUITE_P(
    ParseDate, NoDate,
    testing::Values("", "0", "784111777", "Sun, 06 Nov 1994 08:49:37",
                    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 gmt",
                    "Son, 06 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
                    "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
                    "Sun, 06 Abc 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
                    "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
                    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
                    "Wed, 29 Feb 1995 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
                    " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19x4 08:49:37 GMT",
                    "Sun, 06 Nov 1994 08-49-37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
                    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT",
                    "Sunday, 31-Feb-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
                    "Sun Nov 06 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT",
                    "Sunday Nov  6 08:49:37 1994"));

TEST(ParseDate, TakesAZeroPaddedDayOfAsctime) {
    // asctime-date's date3 is ( 2DIGIT / ( SP 1DIGIT ) ).
    EXPECT_EQ(parse_date("Sun Nov 06 08:49:37 1994", now), 784111777);
}

}  // namespace
}  // namespace weir::http
