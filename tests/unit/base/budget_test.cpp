#include "base/budget.h"

#include <gtest/gtest.h>

#include <utility>

namespace weir {
namespace {

TEST(Budget, GivesUpToItsLimit) {
    Budget budget{10};
    EXPECT_TRUE(budget.take(7));
    EXPECT_FALSE(budget.take(4));
    EXPECT_EQ(budget.used(), 7u);
    EXPECT_TRUE(budget.take(3));
    budget.give_back(5);
    EXPECT_EQ(budget.used(), 5u);
}

TEST(Budget, SomeOfItIsLeftOver) {
    Budget budget{10};
    EXPECT_TRUE(budget.take(7, 3));
    EXPECT_FALSE(budget.take(1, 3));
    EXPECT_EQ(budget.used(), 7u);
    EXPECT_TRUE(budget.take(1, 2));
}

TEST(Budget, ItsLimitMayChange) {
    Budget budget{10};
    EXPECT_TRUE(budget.take(7));
    budget.limit(5);
    EXPECT_EQ(budget.used(), 7u);
    EXPECT_FALSE(budget.take(1));
    budget.limit(8);
    EXPECT_TRUE(budget.take(1));
}

TEST(Share, GrowsShrinksAndGivesAllBack) {
    Budget budget{10};
    {
        Share share{&budget};
        EXPECT_TRUE(share.resize(8));
        EXPECT_FALSE(share.resize(11));
        EXPECT_EQ(share.held(), 8u);
        EXPECT_TRUE(share.resize(2));
        EXPECT_EQ(budget.used(), 2u);
    }
    EXPECT_EQ(budget.used(), 0u);
}

TEST(Share, MovesWithWhatItHolds) {
    Budget budget{10};
    Share first{&budget};
    ASSERT_TRUE(first.resize(4));
    Share second{std::move(first)};
    EXPECT_EQ(budget.used(), 4u);
    second = Share{&budget};
    EXPECT_EQ(budget.used(), 0u);
}

TEST(Share, OfNoBudgetHasAsMuchAsItWants) {
    Share share;
    EXPECT_TRUE(share.resize(~std::uint64_t{0}));
}

}  // namespace
}  // namespace weir
