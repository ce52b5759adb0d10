#include "base/trimmed.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Trimmed, SpacesAndTabsAroundGo) {
    EXPECT_EQ(trimmed(" \ta b\t "), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \t"), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Trimmed, OtherWhiteSpaceStays) { EXPECT_EQ(trimmed(" \na\r "), "\na\r"); }

}  // namespace
}  // namespace weir
