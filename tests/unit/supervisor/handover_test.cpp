#include "supervisor/handover.h"

#include <gtest/gtest.h>

namespace weir::supervisor {
namespace {

using std::chrono::milliseconds;

Handover full() {
    return {
        .number = 3,
        .channel = 5,
        .control = 4,
        .sockets = {6, 7},
        .activated = {{.fd = 8}, {.fd = 9, .redirects = true}},
        .processes = {{.number = 2, .pid = 4711, .channel = 10, .stops_within = milliseconds{500}},
                      {.number = 3,
                       .pid = 4712,
                       .channel = 11,
                       .stops_within = milliseconds{10'000},
                       .serves = true}}};
}

TEST(Handover, IsReadAsItIsWritten) {
    const std::string text = write_handover(full());
    EXPECT_EQ(text,
              "1 number=3 channel=5 control=4 socket=6 socket=7 activated=8 redirect=9 "
              "process=2:4711:10:500:0 process=3:4712:11:10000:1");
    const auto read = read_handover(text);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->sockets, (std::vector{6, 7}));
    EXPECT_TRUE(read->activated[1].redirects);
    EXPECT_EQ(read->processes[1].pid, 4712);
    EXPECT_EQ(write_handover(*read), text);
    EXPECT_EQ(write_handover(*read_handover("1 number=1")), "1 number=1");
}

TEST(Handover, RefusesWhatItDoesNotWrite) {
    for (const auto* const text :
         {"", "2 number=1", "x", "number=1", "1 number", "1 number=", "1 number=-1", "1 number=1x",
          "1 socket=99999999999", "1 other=1", "1  number=1", "1 process=1", "1 process=1:2:3:4",
          "1 process=1:2:3:4:5", "1 process=1:2:3:4:1:1", "1 process=1:1:3:4:1",
          "1 process=1:-5:3:4:1", "1 process=1:2:x:4:1"})
        EXPECT_FALSE(read_handover(text).has_value()) << text;
    EXPECT_FALSE(read_handover("1" + std::string(200'000, ' ')).has_value());
}

}  // namespace
}  // namespace weir::supervisor
