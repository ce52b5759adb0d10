// Each timer of an HTTP/2 connection, in virtual time.

#include <gtest/gtest.h>

#include "http2_driver.h"

namespace weir::http {
namespace {

using h2::ErrorCode;
namespace flag = h2::flag;

TEST(Http2Deadline, ASilentConnectionIsClosedWithoutAWord) {
    Http2Driver peer{hello};
    peer.pass(peer.timeouts.head - 1ms);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.pass(1ms);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_TRUE(peer.reader.frames.empty());
}

TEST(Http2Deadline, APrefaceOrAFrameThatDripsIsCut) {
    const std::string preface = h2::hello();
    for (const std::size_t at_once : {std::size_t{1}, preface.size() - 1, preface.size() + 1}) {
        Http2Driver peer{hello};
        const std::string all = preface + h2::get(1, "/");
        peer.receive(all.substr(0, at_once));
        for (int i = 0; i < 5; ++i) {
            peer.pass(peer.timeouts.head / 5);
            peer.receive(all.substr(at_once + static_cast<std::size_t>(i), 1));
            if (i == 4 || at_once == preface.size() - 1) continue;
            EXPECT_EQ(peer.step(), Step::receive);
        }
        peer.pass(peer.timeouts.head);
        EXPECT_NE(peer.step(), Step::receive) << at_once;
        EXPECT_EQ(peer.handled, 0);
    }
}

TEST(Http2Deadline, AnIdleConnectionIsToldThatItEnds) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.pass(peer.timeouts.keep_alive - 1ms);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.pass(1ms);
    EXPECT_EQ(peer.step(), Step::close);
    ASSERT_EQ(peer.reader.goaways.size(), 1u);
    EXPECT_EQ(peer.reader.goaways[0].code(), ErrorCode::no_error);
}

TEST(Http2Deadline, AHandlerThatTakesTooLongIs503AndItsReplyIsDropped) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/"));
    peer.pass(peer.timeouts.handler);
    EXPECT_EQ(peer.stream(1).status(), 503);
    EXPECT_EQ(peer.stream(3).status(), 503);
    EXPECT_FALSE(peer.connection->awaits(1));
    peer.respond(1, hello(Workspace{peer.limits, peer.timeouts}.request.request()));
    EXPECT_EQ(peer.reader.count(h2::FrameType::headers), 2);
    peer.handles = true;
    peer.receive(h2::get(5, "/"));
    EXPECT_EQ(peer.stream(5).content, "hello");
}

TEST(Http2Deadline, ContentThatPausesIs408) {
    Http2Driver peer{[](const Request& request) -> Reply {
        if (request.content_pending()) return ReadContent{};
        return Response{};
    }};
    peer.receive(h2::hello() + h2::post(1, "/") + h2::data(1, std::string(100'000 / 10, 'a')));
    peer.pass(peer.timeouts.body - 1ms);
    peer.receive(h2::data(1, std::string(10'000, 'a')));
    peer.pass(peer.timeouts.body - 1ms);
    EXPECT_EQ(peer.stream(1).status(), 0);
    peer.pass(1ms);
    EXPECT_EQ(peer.stream(1).status(), 408);
    // Other requests go on.
    peer.receive(h2::get(3, "/"));
    EXPECT_EQ(peer.stream(3).status(), 200);
}

TEST(Http2Deadline, ContentThatDripsIs408) {
    Http2Driver peer{[](const Request& request) -> Reply {
        if (request.content_pending()) return ReadContent{};
        return Response{};
    }};
    peer.receive(h2::hello() + h2::post(1, "/"));
    for (int i = 0; i < 100 && peer.stream(1).status() == 0; ++i) {
        peer.receive(h2::data(1, "a"));
        peer.pass(1s);
    }
    EXPECT_EQ(peer.stream(1).status(), 408);
    EXPECT_LE(peer.now.instant - Instant{1h}, peer.timeouts.body + 2s);
}

TEST(Http2Deadline, APeerThatTakesNothingIsReset) {
    const std::string content(30'000, 'c');
    Http2Driver peer{[&](const Request&) -> Reply {
        Response response;
        response.content_view(content);
        return response;
    }};
    peer.receive(h2::hello());
    peer.send_max = 0;
    peer.receive(h2::get(1, "/"));
    peer.pass(peer.timeouts.transmit);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_TRUE(peer.connection->resets());
    ASSERT_EQ(peer.seen.size(), 1u);
    EXPECT_EQ(peer.seen[0].outcome, Outcome::timed_out);
}

TEST(Http2Deadline, APeerThatTakesEnoughStays) {
    const std::string content(60'000, 'c');
    Http2Driver peer{[&](const Request&) -> Reply {
        Response response;
        response.content_view(content);
        return response;
    }};
    peer.receive(h2::hello());
    peer.send_max = 8'000;
    peer.receive(h2::get(1, "/"));
    EXPECT_TRUE(peer.stream(1).is_whole);
}

TEST(Http2Deadline, ASourceThatPausesForTooLongIsCut) {
    class Silent final : public Source {
        Pulled pull(std::span<char>) override { return NotReady{}; }
    };
    Http2Driver peer{[](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<Silent>());
        return response;
    }};
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.pass(1h);
    EXPECT_FALSE(peer.stream(1).was_reset) << "it may pause as long as it wants to";
    peer.timeouts.pause = 1min;
    peer.receive(h2::get(3, "/"));
    peer.pass(59s);
    EXPECT_FALSE(peer.stream(3).was_reset);
    peer.pass(1s);
    EXPECT_EQ(peer.stream(3).code, ErrorCode::internal_error);
    EXPECT_TRUE(peer.stream(3).was_reset);
    EXPECT_FALSE(peer.stream(1).was_reset);
}

TEST(Http2Deadline, DrainingEnds) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::data(0, "a"));
    EXPECT_EQ(peer.step(), Step::drain);
    for (int i = 0; i < 100 && peer.step() == Step::drain; ++i) {
        peer.receive("whatever");
        peer.pass(peer.timeouts.drain - 1ms);
    }
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_LE(peer.now.instant - Instant{1h}, peer.timeouts.drain_total + peer.timeouts.drain);
}

}  // namespace
}  // namespace weir::http
