// What a connection keeps of frames that are not whole, and of windows.

#include <gtest/gtest.h>

#include <string_view>

#include "http/frames/data_frame.h"
#include "http/frames/receive_window.h"
#include "http/frames/unfinished_section.h"

namespace weir::http::http2 {
namespace {

TEST(ReceiveWindow, OpensAgainInLargeSteps) {
    ReceiveWindow window{100};
    EXPECT_TRUE(window.take(100));
    EXPECT_EQ(window.give_back(49, 100), 0u);
    EXPECT_FALSE(window.take(1));  // nobody has told the peer
    EXPECT_EQ(window.give_back(2, 100), 51u);
    EXPECT_TRUE(window.take(50));
    EXPECT_FALSE(window.take(1));
}

TEST(DataFrame, TakesItsContentAndSkipsItsPadding) {
    DataFrame frame{.stream = 1, .content_left = 5, .padding_left = 3};
    std::string_view input = "con";
    EXPECT_EQ(frame.take_content(input), "con");
    EXPECT_TRUE(input.empty());
    input = "te...next";
    EXPECT_EQ(frame.take_content(input), "te");
    EXPECT_FALSE(frame.is_whole());
    frame.skip_padding(input);
    EXPECT_TRUE(frame.is_whole());
    EXPECT_EQ(input, "next");
}

TEST(UnfinishedSection, HasLimits) {
    constexpr UnfinishedSection::Limits limits{.continuations = 2, .bytes = 10};
    UnfinishedSection section;
    EXPECT_FALSE(section.is_open());
    section.begin(3, true, "first");
    EXPECT_TRUE(section.is_of(3));
    EXPECT_FALSE(section.is_of(5));
    EXPECT_TRUE(section.add("2", limits));
    EXPECT_TRUE(section.add("3", limits));
    EXPECT_FALSE(section.add("4", limits));
    section.begin(3, true, "first");
    EXPECT_FALSE(section.add("second", limits));
}

TEST(UnfinishedSection, IsGivenAsAWhole) {
    UnfinishedSection section;
    section.begin(3, true, "one ");
    EXPECT_TRUE(section.add("two", {.continuations = 8, .bytes = 100}));
    const auto whole = section.finish();
    EXPECT_EQ(whole.stream, 3u);
    EXPECT_TRUE(whole.ends_stream);
    EXPECT_EQ(whole.block, "one two");
    EXPECT_FALSE(section.is_open());
    EXPECT_FALSE(section.is_of(0));
}

}  // namespace
}  // namespace weir::http::http2
