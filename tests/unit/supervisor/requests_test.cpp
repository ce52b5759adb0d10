#include "supervisor/requests.h"

#include <gtest/gtest.h>

namespace weir::supervisor {
namespace {

using State = RequestLine::State;

TEST(Requests, HaveNames) {
    for (const auto each : {Request::reload, Request::upgrade, Request::stop, Request::status})
        EXPECT_EQ(request_named(name_of(each)), each);
    for (const auto* const name : {"", "Reload", "reload ", "reboot"})
        EXPECT_FALSE(request_named(name).has_value());
}

TEST(RequestLine, MayComeInPieces) {
    RequestLine line;
    EXPECT_EQ(line.add("rel"), State::unfinished);
    EXPECT_EQ(line.add(""), State::unfinished);
    EXPECT_EQ(line.add("oad\nmore"), State::finished);
    EXPECT_EQ(line.text(), "reload");
    EXPECT_EQ(line.add("x\n"), State::finished);
    EXPECT_EQ(line.text(), "reload");
}

TEST(RequestLine, HasALimit) {
    RequestLine longest;
    EXPECT_EQ(longest.add(std::string(RequestLine::bytes_max, 'x')), State::unfinished);
    EXPECT_EQ(longest.add("\n"), State::finished);
    RequestLine longer;
    EXPECT_EQ(longer.add(std::string(RequestLine::bytes_max + 1, 'x')), State::refused);
    EXPECT_EQ(longer.add("\n"), State::refused);
    EXPECT_LE(longer.text().size(), RequestLine::bytes_max);
}

TEST(RequestLine, IsText) {
    for (const std::string_view text :
         {std::string_view{"a\0\n", 3}, std::string_view{"\t\n"}, std::string_view{"\xff\n"}}) {
        RequestLine line;
        EXPECT_EQ(line.add(text), State::refused);
    }
}

TEST(Answers, AreReadAsTheyAreWritten) {
    for (const Answer& each :
         {Answer{.is_ok = true, .text = "one\ntwo"}, Answer{.is_ok = false, .text = ""}}) {
        const auto read = read_answer(write_answer(each));
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(read->is_ok, each.is_ok);
        EXPECT_EQ(read->text, each.text);
    }
    for (const auto* const text : {"", "ok", "ok \nx", "okay\n", "error\n", "ok cut"})
        EXPECT_FALSE(read_answer(text).has_value()) << text;
}

}  // namespace
}  // namespace weir::supervisor
