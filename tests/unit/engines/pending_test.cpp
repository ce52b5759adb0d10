#include "engines/ring/pending.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace weir::engines {
namespace {

using std::chrono::seconds;

constexpr Instant later{seconds{1'000}};

TEST(Pending, WhatIsParkedComesBackInOrderAndOnce) {
    Pending pending;
    EXPECT_EQ(pending.parked(), 0u);
    ASSERT_TRUE(pending.park("one ", nullptr));
    ASSERT_TRUE(pending.park("two", nullptr));
    EXPECT_EQ(pending.parked(), 7u);
    EXPECT_EQ(pending.unpark(), "one two");
    EXPECT_EQ(pending.parked(), 0u);
}

TEST(Pending, TakesOfTheBudgetForAsLongAsItKeepsBytes) {
    Budget memory{10'000};
    Pending pending;
    ASSERT_TRUE(pending.park(std::string(1'000, 'p'), &memory));
    EXPECT_GE(memory.used(), 1'000u);
    ASSERT_TRUE(pending.set_unsent(std::string(2'000, 'u'), later, &memory));
    EXPECT_GE(memory.used(), 3'000u);
    pending.unpark();
    EXPECT_TRUE(pending.has_unsent());
    pending.drop_unsent();
    EXPECT_EQ(memory.used(), 0u);
    ASSERT_TRUE(pending.set_unsent("u", later, &memory));
    ASSERT_TRUE(pending.park("p", &memory));
    pending.drop_unsent();
    EXPECT_EQ(pending.parked(), 1u);
    pending.unpark();
    EXPECT_EQ(memory.used(), 0u);
}

TEST(Pending, KeepsNothingBeyondTheBudget) {
    Budget memory{1'000};
    Pending pending;
    EXPECT_FALSE(pending.park(std::string(2'000, 'p'), &memory));
    Pending other;
    EXPECT_FALSE(other.set_unsent(std::string(2'000, 'u'), later, &memory));
}

TEST(Pending, GivesUpAtTheTimeOfTheLastProgress) {
    Pending pending;
    EXPECT_EQ(pending.give_up(), never);
    ASSERT_TRUE(pending.set_unsent("abc", later, nullptr));
    EXPECT_EQ(pending.give_up(), later);
    pending.sent(2, later + seconds{1});
    EXPECT_EQ(pending.unsent(), "c");
    EXPECT_EQ(pending.give_up(), later + seconds{1});
    ASSERT_TRUE(pending.park("p", nullptr));  // what is parked has no deadline
    pending.sent(1, later + seconds{2});
    EXPECT_FALSE(pending.has_unsent());
    EXPECT_EQ(pending.give_up(), never);
}

}  // namespace
}  // namespace weir::engines
