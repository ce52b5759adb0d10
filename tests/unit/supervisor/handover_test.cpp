#include "supervisor/handover.h"

#include <gtest/gtest.h>

namespace weir::supervisor {
namespace {

TEST(Handover, IsReadAsItIsWritten) {
    const std::string text = write_handover(
        {.number = 3, .channel = 5, .settings = 4, .tickets = 8, .counters = 9, .sockets = {6, 7}});
    EXPECT_EQ(text, "2 number=3 channel=5 settings=4 tickets=8 counters=9 socket=6 socket=7");
    const auto read = read_handover(text);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->sockets, (std::vector{6, 7}));
    EXPECT_EQ(write_handover(*read), text);
    EXPECT_EQ(write_handover(*read_handover("2 number=1")), "2 number=1");
}

TEST(Handover, RefusesWhatItDoesNotWrite) {
    for (const auto* const text :
         {"", "1 number=1", "22 number=1", "x", "number=1", "2 number", "2 number=", "2 number=-1",
          "2 number=1x", "2 socket=99999999999", "2 other=1", "2  number=1", "2 number=1 "})
        EXPECT_FALSE(read_handover(text).has_value()) << text;
    EXPECT_FALSE(read_handover("2" + std::string(200'000, ' ')).has_value());
}

}  // namespace
}  // namespace weir::supervisor
