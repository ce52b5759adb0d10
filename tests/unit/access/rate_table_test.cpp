#include "access/memory/rate_table.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/forked.h"

namespace weir::access {
namespace {

using namespace std::chrono_literals;

const Instant begin{1h};
constexpr RateTable::Limit one_a_second{.interval = 1s, .burst = 3};

TEST(RateTable, AClientMaySendABurstAndThenGoOnEvenly) {
    RateTable table{one_a_second};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(table.take(7, begin), 0us) << i;
    EXPECT_EQ(table.take(7, begin), 1s);
    EXPECT_EQ(table.take(7, begin + 400ms), 600ms);
    EXPECT_EQ(table.take(7, begin + 1s), 0us);
    EXPECT_EQ(table.take(7, begin + 1s), 1s);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(table.take(7, begin + 1h), 0us) << i;
    EXPECT_NE(table.take(7, begin + 1h), 0us);
}

TEST(RateTable, ClientsHaveLimitsOfTheirOwn) {
    RateTable table{{.interval = 1s, .burst = 1}};
    EXPECT_EQ(table.take(1, begin), 0us);
    EXPECT_EQ(table.take(2, begin), 0us);
    EXPECT_EQ(table.take(std::uint64_t{1} << 63U, begin), 0us);
    EXPECT_NE(table.take(1, begin), 0us);
    EXPECT_NE(table.take(2, begin), 0us);
}

TEST(RateTable, WhatIsGivenBackDoesNotCount) {
    RateTable table{{.interval = 1s, .burst = 1}};
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(table.take(7, begin), 0us);
        table.give_back(7);
    }
    table.give_back(8);  // not there
}

TEST(RateTable, ANewClientTakesThePlaceOfTheOneWithTheLeastToWaitFor) {
    RateTable table{one_a_second, 8};  // eight places, and all clients may have each
    for (int i = 0; i < 3; ++i) EXPECT_EQ(table.take(1, begin), 0us);
    for (std::uint64_t other = 2; other < 1000; ++other) EXPECT_EQ(table.take(other, begin), 0us);
    EXPECT_NE(table.take(1, begin), 0us) << "it is not forgotten";
}

TEST(RateTable, ProcessesThatAreForkedShareIt) {
    RateTable table{{.interval = 1s, .burst = 1}};
    EXPECT_TRUE(tests::in_a_forked_process([&] { return table.take(7, begin) == 0us; }));
    EXPECT_EQ(table.take(7, begin), 1s);
}

}  // namespace
}  // namespace weir::access
