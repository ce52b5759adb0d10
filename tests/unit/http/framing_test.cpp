// What heads mean. What is refused with which fault stands in tests/corpus/ too, as answers.

#include "http/head/framing.h"

#include <gtest/gtest.h>

#include <string>

#include "http/head/head_parser.h"

namespace weir::http {
namespace {

using Content = Framing::Content;

struct Read {
    std::string bytes;
    HeadIndex index;
    Framing framing;

    Read(std::string_view line, std::string_view fields)
        : bytes{std::string{line} + "\r\n" + std::string{fields} + "\r\n"} {
        HeadParser parser;
        EXPECT_EQ(parser.parse(bytes, index, Limits{}), HeadParser::Result::complete) << bytes;
        framing = framing_of(bytes.data(), index);
    }
};

Framing framing_11(std::string_view fields) {
    return Read{"POST / HTTP/1.1", "Host: a\r\n" + std::string{fields}}.framing;
}
Framing framing_10(std::string_view fields) { return Read{"POST / HTTP/1.0", fields}.framing; }

TEST(Framing, OfAPlainRequestIsEmptyAndKept) {
    const Framing framing = framing_11("");
    EXPECT_EQ(framing.fault, Fault::none);
    EXPECT_EQ(framing.content, Content::none);
    EXPECT_TRUE(framing.keep_alive);
    EXPECT_FALSE(framing.expects_continue);
}

TEST(Framing, AHostIsHeldToTheGrammarWhateverCameBefore) {
    LastHost last;
    const auto fault = [&](std::string_view host) {
        Read read{"GET / HTTP/1.1", "Host: " + std::string{host} + "\r\n"};
        return framing_of(read.bytes.data(), read.index, last).fault;
    };
    const std::string longest(63, 'a'), longer(64, 'b');
    for (const std::string_view host : {std::string_view{"a"}, std::string_view{"a.example:80"},
                                        std::string_view{longest}, std::string_view{longer}}) {
        for (int i = 0; i < 2; ++i) EXPECT_EQ(fault(host), Fault::none);
        EXPECT_EQ(fault(std::string(host.size(), '@')), Fault::malformed_host);
        EXPECT_EQ(fault(std::string(host.substr(1)) + " "), fault(host.substr(1)));
        EXPECT_EQ(fault(std::string(host) + "@"), Fault::malformed_host);
        EXPECT_EQ(fault(host), Fault::none);
    }
}

TEST(Framing, KeepAliveAloneSaysWhatAListSays) {
    for (const char* line : {"HTTP/1.1", "HTTP/1.0"}) {
        const std::string request = "GET / " + std::string{line};
        const auto keeps = [&](std::string_view fields) {
            return Read{request, "Host: a\r\n" + std::string{fields}}.framing.keep_alive;
        };
        EXPECT_TRUE(keeps("Connection: keep-alive\r\n"));
        EXPECT_TRUE(keeps("Connection: Keep-Alive\r\n"));
        EXPECT_TRUE(keeps("Connection: x, keep-alive\r\n"));
        EXPECT_FALSE(keeps("Connection: keep-alive, close\r\n"));
        EXPECT_FALSE(keeps("Connection: keep-alive\r\nConnection: close\r\n"));
        EXPECT_FALSE(keeps("Connection: close\r\nConnection: keep-alive\r\n"));
    }
}

TEST(Framing, ContentLengthIsDigitsBelowTwoToThe63) {
    EXPECT_EQ(framing_11("Content-Length: 5\r\n").content, Content::sized);
    EXPECT_EQ(framing_11("Content-Length: 0005\r\n").content_length, 5u);
    EXPECT_EQ(framing_11("Content-Length: 0\r\n").content, Content::none);
    EXPECT_EQ(framing_11("Content-Length: 9223372036854775807\r\n").content_length,
              9223372036854775807u);
    for (const char* text :
         {"", "-1", "+1", "0x5", "5 5", "5,5", "5, 5", "1e3", "5.0", "9223372036854775808",
          "18446744073709551617", "99999999999999999999999", "\xd9\xa5", "five"})
        EXPECT_EQ(framing_11("Content-Length: " + std::string{text} + "\r\n").fault,
                  Fault::malformed_content_length)
            << text;
    EXPECT_EQ(framing_11("Content-Length: 5\r\nContent-Length: 5\r\n").fault,
              Fault::conflicting_content_length);
    EXPECT_EQ(framing_11("Content-Length: 5\r\nContent-Length: 6\r\n").fault,
              Fault::conflicting_content_length);
}

TEST(Framing, TransferEncodingIsChunkedAlone) {
    for (const char* text : {"chunked", "Chunked", "CHUNKED"})
        EXPECT_EQ(framing_11("Transfer-Encoding: " + std::string{text} + "\r\n").content,
                  Content::chunked);
    for (const char* text :
         {"", ",chunked", "chunked,", "chunked, chunked", "chunked, gzip", "chunked;a=b",
          "\"chunked\"", "chun ked", "chunked chunked", "chunked;", "gzip;q=1, chunked, chunked"})
        EXPECT_EQ(framing_11("Transfer-Encoding: " + std::string{text} + "\r\n").fault,
                  Fault::malformed_transfer_encoding)
            << text;
    for (const char* text : {"gzip", "identity", "gzip, chunked", "xchunked", "chunked1",
                             "gzip;level=9, chunked", "x,chunked"})
        EXPECT_EQ(framing_11("Transfer-Encoding: " + std::string{text} + "\r\n").fault,
                  Fault::unknown_transfer_coding)
            << text;
}

TEST(Framing, TransferEncodingLinesAreOneList) {
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    const std::string gzip = "Transfer-Encoding: gzip\r\n";
    EXPECT_EQ(framing_11(chunked + chunked).fault, Fault::malformed_transfer_encoding);
    EXPECT_EQ(framing_11(chunked + gzip).fault, Fault::malformed_transfer_encoding);
    EXPECT_EQ(framing_11(gzip + chunked).fault, Fault::unknown_transfer_coding);
}

TEST(Framing, TransferEncodingStandsAlone) {
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    EXPECT_EQ(framing_11("Content-Length: 5\r\n" + chunked).fault,
              Fault::content_length_with_transfer_encoding);
    EXPECT_EQ(framing_11(chunked + "Content-Length: x\r\n").fault,
              Fault::content_length_with_transfer_encoding);
    EXPECT_EQ(framing_10(chunked).fault, Fault::transfer_encoding_in_http_1_0);
    EXPECT_EQ(framing_10(chunked + "Content-Length: 5\r\n").fault,
              Fault::transfer_encoding_in_http_1_0);
}

TEST(Framing, ConnectionOptionsAreAList) {
    for (const char* text :
         {"keep-alive", "closed", "xclose", "Upgrade", "", ",,", "close;q=0", "clos"})
        EXPECT_TRUE(framing_11("Connection: " + std::string{text} + "\r\n").keep_alive) << text;
    for (const char* text :
         {"close", "CLOSE", "keep-alive, close", "close, keep-alive", "a,\tclose ,b",
          "x\r\nConnection: close", "close\r\nConnection: keep-alive"})
        EXPECT_FALSE(framing_11("Connection: " + std::string{text} + "\r\n").keep_alive) << text;
}

TEST(Framing, Http10IsKeptWhenAsked) {
    EXPECT_FALSE(framing_10("").keep_alive);
    EXPECT_FALSE(framing_10("Connection: x\r\n").keep_alive);
    EXPECT_FALSE(framing_10("Connection: keep-alive, close\r\n").keep_alive);
    EXPECT_TRUE(framing_10("Connection: Keep-Alive\r\n").keep_alive);
    EXPECT_TRUE(framing_10("Connection: x\r\nConnection: y, keep-alive\r\n").keep_alive);
}

TEST(Framing, ALaterMinorVersionIsReadAs11) {
    EXPECT_TRUE((Read{"GET / HTTP/1.9", "Host: a\r\n"}.framing.keep_alive));
    EXPECT_EQ((Read{"GET / HTTP/1.9", ""}.framing.fault), Fault::missing_host);
}

TEST(Framing, ExpectationIs100Continue) {
    const std::string length = "Content-Length: 5\r\n";
    EXPECT_TRUE(framing_11(length + "Expect: 100-continue\r\n").expects_continue);
    EXPECT_TRUE(
        framing_11("Transfer-Encoding: chunked\r\nExpect: 100-Continue\r\n").expects_continue);
    EXPECT_TRUE(framing_11(length + "Expect: , 100-continue,\r\n").expects_continue);
    EXPECT_FALSE(framing_11(length + "Expect: ,\r\n").expects_continue);
    EXPECT_FALSE(framing_10(length + "Expect: 100-continue\r\n").expects_continue);
    EXPECT_EQ(framing_10(length + "Expect: x\r\n").fault, Fault::none);
    for (const char* text : {"100", "100-continued", "100-continue, x", "x\r\nExpect: 100-continue",
                             "100-continue\r\nExpect: x", "100-continue;a=b"})
        EXPECT_EQ(framing_11(length + "Expect: " + text + "\r\n").fault, Fault::unknown_expectation)
            << text;
}

TEST(Framing, HostIsOneAndValid) {
    EXPECT_EQ((Read{"GET / HTTP/1.1", ""}.framing.fault), Fault::missing_host);
    EXPECT_EQ((Read{"GET / HTTP/1.0", ""}.framing.fault), Fault::none);
    for (const char* line : {"GET / HTTP/1.1", "GET / HTTP/1.0", "GET http://a/ HTTP/1.1"}) {
        EXPECT_EQ((Read{line, "Host: a\r\nHost: a\r\n"}.framing.fault), Fault::duplicate_host);
        EXPECT_EQ((Read{line, "Host: a, b\r\n"}.framing.fault), Fault::malformed_host);
        EXPECT_EQ((Read{line, "Host: u@a\r\n"}.framing.fault), Fault::malformed_host);
        EXPECT_EQ((Read{line, "Host: a/b\r\n"}.framing.fault), Fault::malformed_host);
    }
}

TEST(Framing, HostIsEmptyOnlyWhereTheTargetNamesNone) {
    EXPECT_EQ((Read{"GET / HTTP/1.1", "Host:\r\n"}.framing.fault), Fault::none);
    EXPECT_EQ((Read{"OPTIONS * HTTP/1.1", "Host: \r\n"}.framing.fault), Fault::none);
    EXPECT_EQ((Read{"GET http://a/ HTTP/1.1", "Host:\r\n"}.framing.fault), Fault::malformed_host);
    EXPECT_EQ((Read{"CONNECT a:1 HTTP/1.1", "Host:\r\n"}.framing.fault), Fault::malformed_host);
}

TEST(Framing, TheTargetsAuthorityGoesBeforeHost) {
    const Read origin{"GET / HTTP/1.1", "Host: b:80\r\n"};
    EXPECT_EQ(origin.index.authority.in(origin.bytes.data()), "b:80");
    const Read absolute{"GET http://a/ HTTP/1.1", "Host: b\r\n"};
    EXPECT_EQ(absolute.framing.fault, Fault::none);
    EXPECT_EQ(absolute.index.authority.in(absolute.bytes.data()), "a");
    EXPECT_EQ((Read{"GET http://a/ HTTP/1.1", ""}.framing.fault), Fault::missing_host);
}

}  // namespace
}  // namespace weir::http
