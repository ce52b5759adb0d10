// The head of a response that weir receives, in pieces: what it says, and what is refused.

#include "http/client/response_head.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::http::client {
namespace {

using Content = ResponseFraming::Content;
using Result = HeadParser::Result;

/// Parses at each split of the bytes, which must not matter.
Result parse(std::string_view bytes, ResponseHead& head, const Limits& limits = {}) {
    head.reset();
    const Result whole = head.parse(bytes, limits);
    for (std::size_t split = 1; split < bytes.size(); ++split) {
        head.reset();
        Result result = head.parse(bytes.substr(0, split), limits);
        if (result == Result::more) result = head.parse(bytes, limits);
        EXPECT_EQ(result, whole) << bytes << " at " << split;
    }
    return whole;
}

struct Framed {
    Content content;
    bool keep_alive = true;
    std::uint64_t length = 0;
    bool operator==(const Framed&) const = default;
};

Framed framed(const std::string& text, Method method = Method::get) {
    ResponseHead head;
    EXPECT_EQ(parse(text, head), Result::complete) << text;
    const auto framing = head.framing(text.data(), method);
    EXPECT_EQ(framing.fault, Fault::none) << text;
    return {framing.content, framing.keep_alive, framing.content_length};
}

Fault fault_of(const std::string& text, const Limits& limits = {}) {
    ResponseHead head;
    switch (parse(text, head, limits)) {
        case Result::more: return Fault::none;
        case Result::fault: return head.fault();
        case Result::complete: break;
    }
    return head.framing(text.data(), Method::get).fault;
}

TEST(ResponseHead, SaysWhatCame) {
    const std::string text = "HTTP/1.1 404 Not Found\r\nServer: a\r\nX-B:  c \r\n\r\nrest";
    ResponseHead head;
    ASSERT_EQ(parse(text, head), Result::complete);
    EXPECT_EQ(head.code(), 404);
    EXPECT_FALSE(head.is_interim());
    EXPECT_EQ(head.size(), text.size() - 4);
    ASSERT_EQ(head.index().fields.size(), 2u);
    EXPECT_EQ(head.index().fields[1].name.in(text.data()), "X-B");
    EXPECT_EQ(head.index().fields[1].value.in(text.data()), "c");
}

TEST(ResponseHead, IsFramedByItsFields) {
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    EXPECT_EQ(framed(ok + "Content-Length: 5\r\n\r\n"), (Framed{Content::sized, true, 5}));
    EXPECT_EQ(framed(ok + "Content-Length: 0\r\n\r\n"), (Framed{Content::none}));
    EXPECT_EQ(framed(ok + "Transfer-Encoding: chunked\r\n\r\n"), (Framed{Content::chunked}));
    EXPECT_EQ(framed(ok + "\r\n"), (Framed{Content::until_close, false}));
    EXPECT_EQ(framed(ok + "Connection: close\r\nContent-Length: 5\r\n\r\n"),
              (Framed{Content::sized, false, 5}));
    EXPECT_EQ(framed("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n"),
              (Framed{Content::sized, false, 5}));
    EXPECT_EQ(framed("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\n"),
              (Framed{Content::sized, true, 5}));
}

TEST(ResponseHead, IsFramedByItsStatusAndTheRequest) {
    const std::string five = "Content-Length: 5\r\n\r\n";
    EXPECT_EQ(framed("HTTP/1.1 200 OK\r\n" + five, Method::head), (Framed{Content::none}));
    for (const char* const code : {"100", "103", "199", "204", "304"})
        EXPECT_EQ(framed("HTTP/1.1 " + std::string{code} + " x\r\n" + five),
                  (Framed{Content::none}))
            << code;
    EXPECT_EQ(framed("HTTP/1.1 101 x\r\nUpgrade: a\r\n\r\n"), (Framed{Content::tunnel}));
    EXPECT_EQ(framed("HTTP/1.1 200 x\r\n" + five, Method::connect), (Framed{Content::tunnel}));
    EXPECT_EQ(framed("HTTP/1.1 403 x\r\n" + five, Method::connect),
              (Framed{Content::sized, true, 5}));
}

TEST(ResponseHead, MayHaveNoReason) {
    for (const char* const line :
         {"HTTP/1.1 200 \r\n", "HTTP/1.1 200\r\n", "HTTP/1.1 200 a\tb\xff\r\n"})
        EXPECT_EQ(framed(std::string{line} + "Content-Length: 5\r\n\r\n"),
                  (Framed{Content::sized, true, 5}))
            << line;
}

TEST(ResponseHead, ThatIsMalformedIsRefused) {
    for (const char* const line :
         {"HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 099 x", "HTTP/1.1 600 x",
          "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 200\tOK", "HTTP/1.1 20x OK",
          "HTTP/1. 200 OK", "HTTP/1.12 200 OK", "http/1.1 200 OK", " HTTP/1.1 200 OK", "ICY 200 OK",
          "SSH-2.0-x", "HTTP/1.1 200 a\x01", ""})
        EXPECT_EQ(fault_of(std::string{line} + "\r\n\r\n"), Fault::malformed_request_line) << line;
    EXPECT_EQ(fault_of("HTTP/1.1 200 OK\n\n"), Fault::malformed_request_line) << "a bare LF";
    EXPECT_EQ(fault_of("HTTP/2.0 200 OK\r\n\r\n"), Fault::unsupported_version);
    EXPECT_EQ(fault_of("HTTP/1.1 200 OK\r\n a: b\r\n\r\n"), Fault::obsolete_line_folding);
    EXPECT_EQ(fault_of("HTTP/1.1 200 OK\r\na : b\r\n\r\n"), Fault::white_space_before_colon);
    EXPECT_EQ(fault_of("HTTP/1.1 200 OK\r\na: b\nc: d\r\n\r\n"), Fault::bare_cr_or_lf);
}

/// Two recipients could frame such a response in different ways.
TEST(ResponseHead, ThatSmugglesIsRefused) {
    const std::pair<const char*, Fault> refused[] = {
        {"Content-Length: 5\r\nContent-Length: 6\r\n", Fault::conflicting_content_length},
        {"Content-Length: 5\r\nContent-Length: 5\r\n", Fault::conflicting_content_length},
        {"Content-Length: 5, 5\r\n", Fault::malformed_content_length},
        {"Content-Length: +5\r\n", Fault::malformed_content_length},
        {"Content-Length: 5x\r\n", Fault::malformed_content_length},
        {"Content-Length: \r\n", Fault::malformed_content_length},
        {"Content-Length: 99999999999999999999\r\n", Fault::malformed_content_length},
        {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
         Fault::content_length_with_transfer_encoding},
        {"Transfer-Encoding: chunked, gzip\r\n", Fault::malformed_transfer_encoding},
        {"Transfer-Encoding: chunked, chunked\r\n", Fault::malformed_transfer_encoding},
        {"Transfer-Encoding: gzip\r\n", Fault::unknown_transfer_coding},
        {"Transfer-Encoding: xchunked\r\n", Fault::unknown_transfer_coding},
        {"Transfer-Encoding: \r\n", Fault::malformed_transfer_encoding},
    };
    for (const auto& [fields, fault] : refused)
        EXPECT_EQ(fault_of("HTTP/1.1 200 OK\r\n" + std::string{fields} + "\r\n"), fault) << fields;
    EXPECT_EQ(fault_of("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
              Fault::transfer_encoding_in_http_1_0);
}

TEST(ResponseHead, HasLimits) {
    const Limits limits{.request_line_bytes_max = 20, .field_line_bytes_max = 30, .fields_max = 2};
    EXPECT_EQ(fault_of("HTTP/1.1 200 " + std::string(20, 'x') + "\r\n\r\n", limits),
              Fault::request_line_too_long);
    EXPECT_EQ(fault_of("HTTP/1.1 200 OK\r\na: " + std::string(40, 'x') + "\r\n\r\n", limits),
              Fault::field_line_too_long);
    EXPECT_EQ(fault_of("HTTP/1.1 200 OK\r\na: b\r\nc: d\r\ne: f\r\n\r\n", limits),
              Fault::too_many_fields);
}

TEST(ResponseHead, OfAnotherProtocolIsRefusedWithoutALineEnd) {
    ResponseHead head;
    EXPECT_EQ(head.parse("\x16\x03\x01", Limits{}), Result::fault);
    head.reset();
    EXPECT_EQ(head.parse("HTTP/1.1 2", Limits{}), Result::more);
}

}  // namespace
}  // namespace weir::http::client
