// The same session, however its bytes are cut.

#include <gtest/gtest.h>

#include "http2_driver.h"

namespace weir::http {
namespace {

namespace flag = h2::flag;

Reply answer(const Request& request) {
    if (request.content_pending()) return ReadContent{};
    Response response;
    response.content(std::string{request.target()} + std::string{request.content()} +
                     std::string{request.trailers()});
    return response;
}

/// Something of everything.
std::string session() {
    const std::string section = h2::section(h2::get_fields("/section"));
    return h2::hello({{h2::Setting::initial_window_size, 100'000}}) + h2::get(1, "/one") +
           h2::post(3, "/three") + h2::data(3, "abc") + h2::ping() + h2::get(5, "/five") +
           h2::frame(h2::FrameType::data, flag::padded, 3,
                     "\x04"
                     "de" +
                         std::string(4, '\0')) +
           h2::frame(h2::FrameType::headers, flag::end_stream, 7, section.substr(0, 20)) +
           h2::frame(h2::FrameType::continuation, flag::end_headers, 7, section.substr(20)) +
           h2::headers(3, {{"sum", "1"}}, flag::end_headers | flag::end_stream) +
           h2::window(0, 1'000) + h2::post(9, "/nine") + h2::reset(9) +
           h2::frame(h2::FrameType::headers, flag::end_headers | flag::end_stream, 11,
                     std::string{"\x82\x86\x84\x41\x8c\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4"
                                 "\xff"});
}

void expect_answers(Http2Driver& peer, const std::string& how) {
    EXPECT_EQ(peer.stream(1).content, "/one") << how;
    EXPECT_EQ(peer.stream(3).content, "/threeabcdesum: 1\r\n") << how;
    EXPECT_EQ(peer.stream(5).content, "/five") << how;
    EXPECT_EQ(peer.stream(7).content, "/section") << how;
    EXPECT_EQ(peer.stream(9).status(), 0) << how;
    EXPECT_EQ(peer.stream(11).content, "/") << how;
    EXPECT_EQ(peer.reader.count(h2::FrameType::ping), 1) << how;
    EXPECT_TRUE(peer.reader.goaways.empty()) << how;
}

TEST(Http2Split, AtEveryByte) {
    const std::string all = session();
    for (std::size_t at = 0; at <= all.size(); ++at) {
        Http2Driver peer{answer};
        if (at != 0) peer.receive(std::string_view{all}.substr(0, at));
        if (at != all.size()) peer.receive(std::string_view{all}.substr(at));
        expect_answers(peer, "cut at " + std::to_string(at));
    }
}

TEST(Http2Split, ByteByByte) {
    for (const bool settles : {false, true}) {
        Http2Driver peer{answer};
        peer.settles = settles;
        for (const char byte : session()) peer.receive({&byte, 1});
        expect_answers(peer, settles ? "settled" : "not settled");
    }
}

TEST(Http2Split, SentByteByByte) {
    Http2Driver peer{answer};
    peer.send_max = 1;
    peer.settles = true;
    peer.receive(session());
    expect_answers(peer, "sent byte by byte");
}

TEST(Http2Split, WhatIsCutIsNeverHandled) {
    const std::string all = h2::hello() + h2::get(1, "/one");
    for (std::size_t at = 1; at < all.size(); ++at) {
        Http2Driver peer{answer};
        peer.receive(all.substr(0, at));
        peer.receive_end();
        EXPECT_EQ(peer.handled, 0) << at;
        EXPECT_EQ(peer.step(), Step::close) << at;
    }
}

}  // namespace
}  // namespace weir::http
