// The reader that the other tests trust: it must find what is wrong.

#include "support/answer.h"

#include <gtest/gtest.h>

#include <array>

namespace weir::tests {
namespace {

constexpr std::string_view date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";

Answer read(std::string text, AnswerTo to = AnswerTo::get) {
    IncomingText incoming{std::move(text)};
    return read_answer(incoming, to);
}

std::string ok(std::string_view fields, std::string_view content = {}) {
    return "HTTP/1.1 200 OK\r\n" + std::string{date} + std::string{fields} + "\r\n" +
           std::string{content};
}

TEST(AnswerReader, ReadsEachFraming) {
    EXPECT_EQ(read(ok("Content-Length: 3\r\n", "abcd")).content, "abc");
    EXPECT_EQ(read(ok("Connection: close\r\n", "abc")).content, "abc");
    const auto chunked = read(ok("Transfer-Encoding: chunked\r\n", "2\r\nab\r\n0\r\nX: y\r\n\r\n"));
    EXPECT_EQ(chunked.content, "ab");
    EXPECT_EQ(chunked.trailers, "X: y\n");
    EXPECT_EQ(read(ok("Content-Length: 3\r\n"), AnswerTo::head).length, 3u);
    EXPECT_EQ(read("HTTP/1.1 100 Continue\r\n\r\n").status, 100);
}

TEST(AnswerReader, RefusesWhatNoServerMaySend) {
    const std::string no_date = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    const std::array wrong{
        std::string{},
        no_date,
        "HTTP/1.1 20 OK\r\n" + std::string{date} + "\r\n",
        "HTTP/1.1  200 OK\r\n" + std::string{date} + "\r\n",
        "HTTP/1.1 204 No Content\r\n" + std::string{date} + "Content-Length: 0\r\n\r\n",
        ok("Content-Length: 3\r\n", "ab"),
        ok("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"),
        ok("Content-Length: +3\r\n", "abc"),
        ok("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n"),
        ok("Transfer-Encoding: chunked\r\n", "2\r\nabc\r\n0\r\n\r\n"),
        ok("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n"),
        ok("Transfer-Encoding: chunked\r\n", "3\nabc\r\n0\r\n\r\n"),
        ok("Transfer-Encoding: chunked\r\n", "\r\n"),
        ok("", "no frame, and the connection is kept"),
        ok("Bad Name: x\r\nContent-Length: 0\r\n"),
        ok("X : y\r\nContent-Length: 0\r\n"),
        ok("X: a\nY: b\r\nContent-Length: 0\r\n"),
    };
    for (const auto& text : wrong) EXPECT_THROW(read(text), Unexpected) << text;
}

}  // namespace
}  // namespace weir::tests
