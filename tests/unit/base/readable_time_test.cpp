#include "base/readable_time.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

using namespace std::chrono_literals;

TEST(ReadableTime, HasAUnitThatFits) {
    EXPECT_EQ(readable_time(0ms), "0 ms");
    EXPECT_EQ(readable_time(999ms), "999 ms");
    EXPECT_EQ(readable_time(1s), "1 s");
    EXPECT_EQ(readable_time(1650ms), "1.6 s");
    EXPECT_EQ(readable_time(5s), "5 s");
    EXPECT_EQ(readable_time(90'500ms), "90 s");
}

}  // namespace
}  // namespace weir
