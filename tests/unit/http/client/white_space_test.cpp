// White space in front of the colons of a response, and of its folded lines.

#include "http/client/white_space.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::http::client {
namespace {

std::string mended(std::string head) {
    EXPECT_TRUE(mend_white_space(head)) << head;
    return head;
}

TEST(WhiteSpace, InFrontOfAColonIsTakenOff) {
    EXPECT_EQ(mended("HTTP/1.1 200 a : b\r\nX : c\r\nY\t \t: d : e\r\n\r\nf : g\r\nh : i"),
              "HTTP/1.1 200 a : b\r\nX: c\r\nY: d : e\r\n\r\nf : g\r\nh : i");
}

TEST(WhiteSpace, ElsewhereStays) {
    for (const char* const lines : {"", "X", "X:", "X: ", "X: a : b\r\n", "X y: a\r\n",
                                    "X \r\n: a\r\n", " X: a\r\n", " : a\r\n", "\r\nX : a"})
        EXPECT_EQ(mended(std::string{"HTTP/1.1 200 OK\r\n"} + lines),
                  std::string{"HTTP/1.1 200 OK\r\n"} + lines);
    EXPECT_EQ(mended("HTTP/1.1 200 O : K"), "HTTP/1.1 200 O : K");
}

TEST(WhiteSpace, AtTheEndMayBeInFrontOfAColon) {
    std::string head = "HTTP/1.1 200 OK\r\nX \t";
    EXPECT_FALSE(mend_white_space(head));
    EXPECT_EQ(mended(head + ": a"), "HTTP/1.1 200 OK\r\nX: a");
    EXPECT_EQ(mended(head + "y: a"), "HTTP/1.1 200 OK\r\nX \ty: a");
}

TEST(WhiteSpace, OfAFoldedLineIsJoinedToTheLineBefore) {
    EXPECT_EQ(mended("HTTP/1.1 200 OK\r\nA: b\r\n c : d\r\n\t\r\nE : f\r\n\r\n g"),
              "HTTP/1.1 200 OK\r\nA: b   c : d  \t\r\nE: f\r\n\r\n g");
}

}  // namespace
}  // namespace weir::http::client
