#include "engines/loop/turn.h"

#include <gtest/gtest.h>

namespace weir::engines {
namespace {

TEST(Turn, IsUsedUpAfterSixteenTransfers) {
    Turn turn;
    for (int transfers = 0; transfers < 16; ++transfers) {
        ASSERT_TRUE(turn.goes_on());
        turn.count(true);
    }
    EXPECT_FALSE(turn.goes_on());
    EXPECT_TRUE(turn.is_used_up());
}

TEST(Turn, EndsWhereNothingCanBeDone) {
    Turn turn;
    turn.count(true);
    turn.count(false);
    EXPECT_FALSE(turn.goes_on());
    EXPECT_FALSE(turn.is_used_up());
}

}  // namespace
}  // namespace weir::engines
