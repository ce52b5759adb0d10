// The times of renewals.

#include "acme/keep/renewal.h"

#include <gtest/gtest.h>

namespace weir::acme {
namespace {

constexpr std::int64_t day = 86'400;

TEST(Renewal, TimestampsHaveTheFormOfRfc3339) {
    EXPECT_EQ(parse_timestamp("1970-01-02T00:00:01Z"), day + 1);
    EXPECT_EQ(parse_timestamp("1970-01-02T00:00:01.999999999Z"), day + 1);
    EXPECT_EQ(parse_timestamp("1970-01-02T02:30:00+02:30"), day);
    EXPECT_EQ(parse_timestamp("1970-01-01T22:00:00-02:00"), day);
    EXPECT_EQ(parse_timestamp("2024-02-29T12:00:00z"), 1'709'208'000);
    for (const std::string wrong :
         {"", "tomorrow", "1970-01-02", "1970-01-02T00:00:01", "1970-01-02T00:00:01+0200",
          "1970-01-02T00:00:01+2:00", "1970-01-02T00:00:01Zulu", "1970-01-02T00:00:01+ab:cd",
          "1970-1-2T0:0:0Z", "1970-01-02T00:00:01.Z", " 970-01-02T00:00:01Z",
          "1970-13-02T00:00:01Z", "1970-01-02T24:00:01Z"})
        EXPECT_FALSE(parse_timestamp(wrong)) << wrong;
}

TEST(Renewal, AWindowHasABeginningAndAnEnd) {
    const auto in = [](const char* start, const char* end) {
        return window_in(Json{{"suggestedWindow", {{"start", start}, {"end", end}}}});
    };
    EXPECT_EQ(in("1970-01-02T00:00:00Z", "1970-01-03T00:00:00Z"), (Window{day, 2 * day}));
    EXPECT_FALSE(in("1970-01-03T00:00:00Z", "1970-01-02T00:00:00Z"));
    EXPECT_FALSE(in("1970-01-03T00:00:00Z", "later"));
    EXPECT_FALSE(window_in(Json::object()));
    EXPECT_FALSE(window_in(Json{{"suggestedWindow", 7}}));
}

TEST(Renewal, ComesAfterTwoThirdsOrInTheWindow) {
    const Certificate ninety{.from = 0, .until = 90 * day, .last_day = {}, .id = {}};
    EXPECT_EQ(renewal_of(ninety, {}, 0.5), 60 * day);
    EXPECT_EQ(renewal_of(ninety, Window{10 * day, 20 * day}, 0), 10 * day);
    EXPECT_EQ(renewal_of(ninety, Window{10 * day, 20 * day}, 0.5), 15 * day);
    EXPECT_LT(renewal_of(ninety, Window{100 * day, 200 * day}, 0.5), 90 * day);
    const Certificate placeholder{
        .from = 0, .until = 365 * day, .last_day = {}, .is_placeholder = true, .id = {}};
    EXPECT_EQ(renewal_of(placeholder, Window{10 * day, 20 * day}, 0), 0);
}

TEST(Renewal, PausesGrow) {
    std::int64_t before = 0;
    for (unsigned failures = 1; failures <= 7; ++failures) {
        EXPECT_GT(pause_after(failures), before);
        before = pause_after(failures);
    }
    EXPECT_EQ(pause_after(1), 60);
    EXPECT_EQ(pause_after(1'000'000), 6 * 3'600);
    // Let's Encrypt allows five failures of a name in an hour.
    EXPECT_GE(pause_after(1) + pause_after(2) + pause_after(3) + pause_after(4) + pause_after(5),
              3'600);
}

}  // namespace
}  // namespace weir::acme
