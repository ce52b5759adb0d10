// White space in front of the colons of a response.

#include "http/client/white_space.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::http::client {
namespace {

std::string without(std::string head) {
    EXPECT_TRUE(take_white_space_off(head)) << head;
    return head;
}

TEST(WhiteSpace, InFrontOfAColonIsTakenOff) {
    EXPECT_EQ(without("HTTP/1.1 200 a : b\r\nX : c\r\nY\t \t: d : e\r\n\r\nf : g\r\nh : i"),
              "HTTP/1.1 200 a : b\r\nX: c\r\nY: d : e\r\n\r\nf : g\r\nh : i");
}

TEST(WhiteSpace, ElsewhereStays) {
    for (const char* const lines : {"", "X", "X:", "X: ", "X: a : b\r\n", "X y: a\r\n",
                                    "X \r\n: a\r\n", " X: a\r\n", " : a\r\n", "\r\nX : a"})
        EXPECT_EQ(without(std::string{"HTTP/1.1 200 OK\r\n"} + lines),
                  std::string{"HTTP/1.1 200 OK\r\n"} + lines);
    EXPECT_EQ(without("HTTP/1.1 200 O : K"), "HTTP/1.1 200 O : K");
}

TEST(WhiteSpace, AtTheEndMayBeInFrontOfAColon) {
    std::string head = "HTTP/1.1 200 OK\r\nX \t";
    EXPECT_FALSE(take_white_space_off(head));
    EXPECT_EQ(without(head + ": a"), "HTTP/1.1 200 OK\r\nX: a");
    EXPECT_EQ(without(head + "y: a"), "HTTP/1.1 200 OK\r\nX \ty: a");
}

}  // namespace
}  // namespace weir::http::client
