// The content of requests: collected, streamed, limited by windows, and thrown away.

#include <gtest/gtest.h>

#include "http2_driver.h"

namespace weir::http {
namespace {

using h2::ErrorCode;
using h2::FrameType;
namespace flag = h2::flag;

/// Asks for the content, then says its size and its trailers.
Reply collect(const Request& request) {
    if (request.content_pending()) return ReadContent{};
    Response response;
    response.content(std::to_string(request.content().size()) + std::string{request.trailers()});
    return response;
}

struct Journal {
    std::string taken{};
    int cuts = 0;
    Sink::Taken says = Sink::Taken::more;
};

class Noting final : public Sink {
   public:
    explicit Noting(Journal& journal) : journal_{journal} {}
    Taken take(std::string_view bytes) override {
        journal_.taken += bytes;
        return journal_.says;
    }
    void cut() noexcept override { ++journal_.cuts; }

   private:
    Journal& journal_;
};

Http2Driver::Handle stream_to(Journal& journal, std::optional<Waker>* waker = nullptr) {
    return [&journal, waker](const Request& request) -> Reply {
        if (waker != nullptr) waker->emplace(request.waker());
        if (request.content_pending()) return StreamContent{std::make_unique<Noting>(journal)};
        Response response;
        response.content(std::string{"taken"});
        return response;
    };
}

TEST(Http2Content, IsCollected) {
    Http2Driver peer{collect};
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "abc"));
    peer.receive(h2::data(1, "de", flag::end_stream));
    EXPECT_EQ(peer.stream(1).content, "5");
}

TEST(Http2Content, MayBeEmpty) {
    Http2Driver peer{collect};
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "", flag::end_stream));
    EXPECT_EQ(peer.stream(1).content, "0");
    peer.receive(h2::post(3, "/", {{"content-length", "0"}}) + h2::data(3, "", flag::end_stream));
    EXPECT_EQ(peer.stream(3).content, "0");
}

TEST(Http2Content, EndsWithItsTrailers) {
    Http2Driver peer{collect};
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "abc") +
                 h2::headers(1, {{"sum", "1"}}, flag::end_headers | flag::end_stream));
    EXPECT_EQ(peer.stream(1).content, "3sum: 1\r\n");
    for (const auto& bad : std::vector<h2::Fields>{
             {{":path", "/"}}, {{"A", "b"}}, {{"a", "b\r\nc: d"}}, {{"connection", "close"}}}) {
        const h2::StreamId id = 3 + 2 * static_cast<h2::StreamId>(peer.handled);
        peer.receive(h2::post(id, "/") +
                     h2::headers(id, bad, flag::end_headers | flag::end_stream));
        EXPECT_EQ(peer.stream(id).code, ErrorCode::protocol_error);
    }
    peer.receive(h2::post(99, "/") + h2::headers(99, {{"a", "b"}}, flag::end_headers));
    EXPECT_EQ(peer.stream(99).code, ErrorCode::protocol_error);
}

TEST(Http2Content, ThatIsTooLongIsRefused) {
    Http2Driver peer{collect, {.content_bytes_max = 10}};
    peer.receive(h2::hello() + h2::post(1, "/", {{"content-length", "11"}}));
    EXPECT_EQ(peer.stream(1).status(), 413);
    peer.receive(h2::post(3, "/") + h2::data(3, std::string(11, 'a'), flag::end_stream));
    EXPECT_EQ(peer.stream(3).status(), 413);
    EXPECT_EQ(peer.handled, 2);
}

TEST(Http2Content, HasTheLimitOfItsHandler) {
    Journal journal;
    Http2Driver peer{[&](const Request& request) -> Reply {
                         if (request.path() == "/collect" && request.content_pending())
                             return ReadContent{.bytes_max = 20};
                         if (request.content_pending())
                             return StreamContent{.sink = std::make_unique<Noting>(journal),
                                                  .bytes_max = 20};
                         return text("taken");
                     },
                     {.content_bytes_max = 10}};
    std::uint32_t id = 1;
    peer.receive(h2::hello());
    for (const char* const path : {"/collect", "/stream"}) {
        for (const std::size_t bytes : {20u, 21u}) {
            const int status = bytes == 20 ? 200 : 413;
            peer.receive(h2::post(id, path, {{"content-length", std::to_string(bytes)}}) +
                         h2::data(id, std::string(bytes, 'a'), flag::end_stream));
            EXPECT_EQ(peer.stream(id).status(), status) << path;
            id += 2;
            peer.receive(h2::post(id, path) + h2::data(id, std::string(10, 'a')) +
                         h2::data(id, std::string(bytes - 10, 'a'), flag::end_stream));
            EXPECT_EQ(peer.stream(id).status(), status) << path;
            id += 2;
        }
    }
    EXPECT_EQ(journal.cuts, 2) << "a sink hears of the refusal";
}

TEST(Http2Content, HasTheLengthThatItsHeadSays) {
    Http2Driver peer{collect};
    peer.receive(h2::hello() + h2::post(1, "/", {{"content-length", "3"}}) +
                 h2::data(1, "abcd", flag::end_stream));
    EXPECT_EQ(peer.stream(1).code, ErrorCode::protocol_error);
    peer.receive(h2::post(3, "/", {{"content-length", "3"}}) + h2::data(3, "ab", flag::end_stream));
    EXPECT_EQ(peer.stream(3).code, ErrorCode::protocol_error);
    peer.receive(h2::post(5, "/", {{"content-length", "3"}}) +
                 h2::data(5, "abc", flag::end_stream));
    EXPECT_EQ(peer.stream(5).content, "3");
}

TEST(Http2Content, PaddingIsNoContent) {
    Journal journal;
    Http2Driver peer{stream_to(journal)};
    peer.receive(h2::hello() + h2::post(1, "/") +
                 h2::frame(FrameType::data, flag::padded | flag::end_stream, 1,
                           "\x03"
                           "abc" +
                               std::string(3, '\0')));
    EXPECT_EQ(journal.taken, "abc");
    EXPECT_EQ(peer.stream(1).content, "taken");
}

TEST(Http2Content, IsPassedOnAsItComes) {
    Journal journal;
    Http2Driver peer{stream_to(journal)};
    peer.receive(h2::hello() + h2::post(1, "/"));
    const std::string frame = h2::data(1, std::string(10'000, 'a'), flag::end_stream);
    peer.receive(frame.substr(0, 5'000));
    EXPECT_EQ(journal.taken.size(), 4'991u);
    peer.receive(frame.substr(5'000));
    EXPECT_EQ(journal.taken.size(), 10'000u);
    EXPECT_EQ(peer.stream(1).content, "taken");
}

TEST(Http2Content, ASinkThatPausesStopsThePeer) {
    Journal journal{.says = Sink::Taken::paused};
    std::optional<Waker> waker;
    Http2Driver peer{stream_to(journal, &waker)};
    peer.receive(h2::hello() + h2::post(1, "/"));
    const auto sent_windows = [&] { return peer.reader.count(FrameType::window_update); };
    const int before = sent_windows();
    for (int i = 0; i < 5; ++i) peer.receive(h2::data(1, std::string(10'000, 'a')));
    EXPECT_EQ(journal.taken.size(), 10'000u);  // the others are held
    EXPECT_EQ(sent_windows(), before);
    journal.says = Sink::Taken::more;
    waker->wake();
    peer.deliver();
    EXPECT_EQ(journal.taken.size(), 50'000u);
    EXPECT_EQ(sent_windows(), before + 1);  // 50,000 more, on this stream
    EXPECT_EQ(peer.reader.frames.back().number(), 50'000u);
    peer.receive(h2::data(1, "", flag::end_stream));
    EXPECT_EQ(peer.stream(1).content, "taken");
}

TEST(Http2Content, ThePeerMayNotSendMoreThanItsWindow) {
    Journal journal{.says = Sink::Taken::paused};
    Http2Driver peer{stream_to(journal)};
    peer.receive(h2::hello() + h2::post(1, "/"));
    for (int i = 0; i < 4; ++i) peer.receive(h2::data(1, std::string(16'000, 'a')));
    EXPECT_FALSE(peer.stream(1).was_reset);
    peer.receive(h2::data(1, std::string(16'000, 'a')));
    EXPECT_EQ(peer.stream(1).code, ErrorCode::flow_control_error);
    EXPECT_EQ(journal.cuts, 1);
}

TEST(Http2Content, TheConnectionsWindowOpensWithoutEnd) {
    Journal journal;
    Http2Driver peer{stream_to(journal)};
    peer.receive(h2::hello() + h2::post(1, "/"));
    const std::string frame = h2::data(1, std::string(16'000, 'a'));
    for (int i = 0; i < 1'000; ++i) peer.receive(frame);
    EXPECT_EQ(journal.taken.size(), 16'000'000u);
    EXPECT_TRUE(peer.reader.goaways.empty());
}

TEST(Http2Content, ASinkThatFailsIsTold500) {
    Journal journal{.says = Sink::Taken::failed};
    Http2Driver peer{stream_to(journal)};
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, "abc"));
    EXPECT_EQ(peer.stream(1).status(), 500);
    EXPECT_EQ(journal.cuts, 0);
}

TEST(Http2Content, ThatIsCutIsTold) {
    Journal journal;
    Http2Driver peer{stream_to(journal)};
    peer.receive(h2::hello() + h2::post(1, "/") + h2::post(3, "/") + h2::post(5, "/"));
    peer.receive(h2::reset(1));
    EXPECT_EQ(journal.cuts, 1);
    peer.receive_end();
    EXPECT_EQ(journal.cuts, 3);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.handled, 3);
}

TEST(Http2Content, ContinueIsSaidWhereItIsExpected) {
    Http2Driver peer{collect};
    peer.receive(h2::hello() + h2::post(1, "/", {{"expect", "100-continue"}}));
    EXPECT_EQ(peer.stream(1).interim, 1);
    peer.receive(h2::data(1, "abc", flag::end_stream));
    EXPECT_EQ(peer.stream(1).content, "3");
    // Not where it is coming already, nor where nobody wants it.
    peer.receive(h2::post(3, "/", {{"expect", "100-continue"}}) + h2::data(3, "abc"));
    EXPECT_EQ(peer.stream(3).interim, 0);
    peer.receive(h2::post(5, "/", {{"expect", ","}}));
    EXPECT_EQ(peer.stream(5).interim, 0);
}

TEST(Http2Content, ThatNobodyWantsMayComeForAWhile) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::post(1, "/") + h2::post(3, "/") + h2::post(5, "/"));
    for (const h2::StreamId id : {1u, 3u, 5u}) EXPECT_TRUE(peer.stream(id).is_whole);
    EXPECT_EQ(peer.seen.size(), 3u);
    peer.receive(h2::data(1, "abc", flag::end_stream));
    EXPECT_FALSE(peer.stream(1).was_reset);
    for (int i = 0; i < 3; ++i) peer.receive(h2::data(3, std::string(16'000, 'a')));
    EXPECT_FALSE(peer.stream(3).was_reset);
    peer.pass(peer.timeouts.drain);
    for (const h2::StreamId id : {3u, 5u}) {
        EXPECT_TRUE(peer.stream(id).was_reset);
        EXPECT_EQ(peer.stream(id).code, ErrorCode::no_error);
    }
    EXPECT_EQ(peer.seen.size(), 3u);
    // What was on its way then is no fault.
    peer.receive(h2::data(3, "abc") + h2::data(5, "abc", flag::end_stream) + h2::get(7, "/"));
    EXPECT_EQ(peer.stream(7).content, "hello");
}

TEST(Http2Content, BehindItsEndIsAFault) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.receive(h2::data(1, "abc"));
    ASSERT_EQ(peer.reader.goaways.size(), 1u);
    EXPECT_EQ(peer.reader.goaways[0].code(), ErrorCode::stream_closed);
}

/// Also while its handler still runs.
TEST(Http2Content, BehindThePeersResetIsAFault) {
    const std::vector frames{h2::data(1, "abc"), h2::get(1, "/")};
    for (const std::string& frame : frames) {
        Http2Driver peer{hello};
        peer.handles = false;
        peer.receive(h2::hello() + h2::post(1, "/") + h2::post(3, "/"));
        ASSERT_EQ(peer.taken.size(), 2u);
        peer.receive(h2::reset(1) + frame);
        ASSERT_EQ(peer.reader.goaways.size(), 1u);
        EXPECT_EQ(peer.reader.goaways[0].code(), ErrorCode::stream_closed);
    }
}

}  // namespace
}  // namespace weir::http
