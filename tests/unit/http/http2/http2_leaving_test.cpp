// How an HTTP/2 connection ends: the server stops, an answer closes, the peer leaves or breaks a rule.

#include <gtest/gtest.h>

#include "http2_driver.h"
#include "unit/http/pausing.h"

namespace weir::http {
namespace {

using h2::ErrorCode;
using h2::FrameType;
namespace flag = h2::flag;

std::vector<std::uint32_t> last_streams(const Http2Driver& peer) {
    std::vector<std::uint32_t> last;
    for (const auto& goaway : peer.reader.goaways) last.push_back(goaway.number());
    return last;
}

TEST(Http2Leaving, TheStopIsSaidInTwoSteps) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.connection->retire(peer.now);
    peer.drive();
    EXPECT_EQ(last_streams(peer), std::vector{0x7fff'ffffu});
    peer.receive(h2::get(3, "/"));  // it was on its way
    peer.pass(100ms);
    EXPECT_EQ(last_streams(peer), (std::vector{0x7fff'ffffu, 3u}));
    peer.receive(h2::get(5, "/"));  // it was not
    EXPECT_EQ(peer.taken, (std::vector<RequestId>{1, 3}));
    peer.respond(3, Response{});
    peer.respond(1, Response{});
    EXPECT_TRUE(peer.stream(1).is_whole);
    EXPECT_TRUE(peer.stream(3).is_whole);
    EXPECT_EQ(peer.step(), Step::drain);
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Http2Leaving, SourcesHearOfTheStop) {
    Http2Driver peer{stream_endlessly};
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).content, "x");
    EXPECT_FALSE(peer.stream(1).is_whole);
    peer.connection->retire(peer.now);
    peer.drive();
    EXPECT_TRUE(peer.stream(1).is_whole);
    peer.receive(h2::get(3, "/"));  // it was on its way
    EXPECT_TRUE(peer.stream(3).is_whole);
}

TEST(Http2Leaving, ThePeersPingMakesTheSecondStepSooner) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.connection->retire(peer.now);
    peer.drive();
    ASSERT_EQ(peer.reader.frames.back().type, FrameType::ping);
    peer.receive(h2::ping(peer.reader.frames.back().payload, flag::ack));
    EXPECT_EQ(last_streams(peer), (std::vector{0x7fff'ffffu, 1u}));
    EXPECT_EQ(peer.step(), Step::close);  // it was idle
}

/// What it sent meanwhile would make the system reset the connection, and its last answer with it.
TEST(Http2Leaving, AnIdlePeerThatHasNotHeardOfItMayStillSend) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.connection->retire(peer.now);
    peer.pass(100ms);
    EXPECT_EQ(last_streams(peer), (std::vector{0x7fff'ffffu, 1u}));
    EXPECT_EQ(peer.step(), Step::drain);
    peer.receive(h2::get(3, "/"));
    EXPECT_EQ(peer.step(), Step::drain);
    EXPECT_EQ(peer.handled, 1);
    peer.pass(250ms);
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Http2Leaving, OneThatGivesWayIsServedWhatIsOnItsWay) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::get(1, "/"));
    ASSERT_EQ(peer.connection->close_impact(), CloseImpact::idle);
    peer.connection->evict(peer.now);
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::leaving);
    peer.drive();
    EXPECT_EQ(last_streams(peer), std::vector{0x7fff'ffffu});
    peer.receive(h2::get(3, "/"));
    EXPECT_TRUE(peer.stream(3).is_whole);
    peer.pass(100ms);
    EXPECT_EQ(last_streams(peer), (std::vector{0x7fff'ffffu, 3u}));
    EXPECT_EQ(peer.step(), Step::drain);
    peer.receive(h2::get(5, "/"));
    EXPECT_EQ(peer.handled, 2);
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Http2Leaving, OneThatGivesWayIsNotWaitedForForLong) {
    Http2Driver silent{hello};
    silent.receive(h2::hello() + h2::get(1, "/"));
    silent.connection->evict(silent.now);
    silent.drive();
    silent.pass(100ms);
    EXPECT_EQ(silent.connection->close_impact(), CloseImpact::leaving);
    silent.pass(250ms);
    EXPECT_EQ(silent.step(), Step::close);
}

/// As on a machine that gives the loop no time: what the peer is to hear comes first.
TEST(Http2Leaving, OneThatGivesWayIsToldAllHoweverLateThatIs) {
    Http2Driver silent{hello};
    silent.receive(h2::hello() + h2::get(1, "/"));
    silent.connection->evict(silent.now);
    silent.drive();
    silent.pass(1s);
    EXPECT_EQ(last_streams(silent), (std::vector{0x7fff'ffffu, 1u}));
    EXPECT_EQ(silent.connection->close_impact(), CloseImpact::leaving);
    silent.pass(250ms);
    EXPECT_EQ(silent.step(), Step::close);
}

TEST(Http2Leaving, OneThatGivesWayFinishesWhatComesMeanwhile) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::get(1, "/"));
    peer.handles = false;
    peer.connection->evict(peer.now);
    peer.receive(h2::get(3, "/"));
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::handling);
    peer.pass(1s);
    EXPECT_EQ(last_streams(peer), (std::vector{0x7fff'ffffu, 3u}));
    peer.respond(3, Response{});
    EXPECT_TRUE(peer.stream(3).is_whole);
    EXPECT_EQ(peer.step(), Step::drain);
}

TEST(Http2Leaving, OneThatHasSaidNothingIsToldNothing) {
    Http2Driver peer{hello};
    peer.connection->evict(peer.now);
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Http2Leaving, AConnectionWithoutARequestWaitsForOne) {
    Http2Driver peer{hello};
    peer.connection->retire(peer.now);
    peer.pass(900ms);
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).content, "hello");
    peer.pass(100ms);
    EXPECT_EQ(last_streams(peer), (std::vector{0x7fff'ffffu, 1u}));
    Http2Driver silent{hello};
    silent.connection->retire(silent.now);
    silent.pass(1s);
    EXPECT_EQ(silent.step(), Step::close);
}

TEST(Http2Leaving, AnAnswerMayCloseTheConnection) {
    Http2Driver peer{[](const Request&) -> Reply {
        Response response;
        response.close();
        return response;
    }};
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_TRUE(peer.stream(1).is_whole);
    peer.pass(100ms);
    EXPECT_EQ(last_streams(peer), (std::vector{0x7fff'ffffu, 1u}));
    EXPECT_EQ(peer.step(), Step::drain);
}

TEST(Http2Leaving, TheMostRequestsAreCounted) {
    Http2Driver peer{hello, {.requests_per_connection_max = 3}};
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/"));
    EXPECT_TRUE(peer.reader.goaways.empty());
    peer.receive(h2::get(5, "/"));
    EXPECT_EQ(peer.reader.goaways.size(), 1u);
}

TEST(Http2Leaving, APeerThatHasSaidGoawayIsServedToTheEnd) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello() + h2::get(1, "/") +
                 h2::frame(FrameType::goaway, 0, 0, h2::number(0) + h2::number(0)));
    EXPECT_EQ(peer.step(), Step::receive);
    peer.respond(1, Response{});
    EXPECT_TRUE(peer.stream(1).is_whole);
    peer.receive(h2::get(3, "/"));
    EXPECT_EQ(peer.taken.size(), 2u);
}

TEST(Http2Leaving, APeerThatHasShutDownGetsItsAnswers) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello() + h2::get(1, "/") + h2::post(3, "/"));
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::wait);
    peer.respond(3, Response{});
    peer.respond(1, Response{});
    EXPECT_TRUE(peer.stream(1).is_whole);
    EXPECT_EQ(peer.stream(3).status(), 0);
    EXPECT_EQ(peer.step(), Step::close);
}

/// Nothing more can open it.
TEST(Http2Leaving, APeerThatHasShutDownGetsNoAnswerThatWaitsForAWindow) {
    const auto large = [](const Request&) -> Reply {
        Response response;
        response.content(std::string(100'000, 'x'));
        return response;
    };
    Http2Driver of_stream{large};
    of_stream.receive(h2::hello({{h2::Setting::initial_window_size, 0}}) + h2::get(1, "/"));
    EXPECT_EQ(of_stream.stream(1).status(), 200);
    Http2Driver of_connection{large};
    of_connection.receive(h2::hello({{h2::Setting::initial_window_size, 200'000}}) +
                          h2::get(1, "/") + h2::get(3, "/"));
    EXPECT_EQ(of_connection.stream(1).content.size(), 65'535u);
    for (Http2Driver* const peer : {&of_stream, &of_connection}) {
        EXPECT_EQ(peer->step(), Step::receive);
        peer->receive_end();
        EXPECT_EQ(peer->step(), Step::close);
        EXPECT_EQ(peer->seen.back().outcome, Outcome::peer_gone);
    }
}

TEST(Http2Leaving, OneThatIsTurnedAwayMayTryElsewhere) {
    Http2Driver peer{hello};
    peer.receive(h2::hello());
    peer.connection->receive(h2::get(1, "/"), peer.now);
    ASSERT_EQ(peer.step(), Step::handle);
    peer.connection->turn_away(peer.now);
    peer.drive();
    EXPECT_EQ(last_streams(peer), std::vector{0u});
    EXPECT_EQ(peer.handled, 0);
}

TEST(Http2Leaving, AFailureTellsEveryone) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/"));
    peer.connection->fail(Outcome::peer_gone, peer.now);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_FALSE(peer.connection->awaits(1));
    peer.connection->respond(1, Response{}, peer.now);
}

/// What breaks a rule of the connection, and the code that says so.
struct Broken {
    std::string bytes;
    ErrorCode code;
};
class BrokenRule : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenRule, EndsTheConnectionWithItsCode) {
    Http2Driver peer{hello};
    peer.receive(h2::hello() + h2::post(1, "/") + GetParam().bytes);
    ASSERT_EQ(peer.reader.goaways.size(), 1u);
    EXPECT_EQ(peer.reader.goaways[0].code(), GetParam().code);
    EXPECT_EQ(peer.step(), Step::drain);
    const int handled = peer.handled;
    peer.receive(h2::get(99, "/"));
    EXPECT_EQ(peer.handled, handled);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BrokenRule,
    ::testing::Values(
        Broken{h2::get(2, "/"), ErrorCode::protocol_error},
        Broken{h2::get(5, "/") + h2::get(3, "/"), ErrorCode::protocol_error},
        Broken{h2::data(0, "a"), ErrorCode::protocol_error},
        Broken{h2::data(3, "a"), ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::data, flag::padded, 1, "\x01"), ErrorCode::protocol_error},
        Broken{h2::reset(0), ErrorCode::protocol_error},
        Broken{h2::reset(3), ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::rst_stream, 0, 1, "abc"), ErrorCode::frame_size_error},
        Broken{h2::window(3, 1), ErrorCode::protocol_error},
        Broken{h2::window(0, 0), ErrorCode::protocol_error},
        Broken{h2::window(0, 0x7fff'ffff), ErrorCode::flow_control_error},
        Broken{h2::frame(FrameType::window_update, 0, 0, "abc"), ErrorCode::frame_size_error},
        Broken{h2::ping("short"), ErrorCode::frame_size_error},
        Broken{h2::frame(FrameType::ping, 0, 1, "12345678"), ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::settings, 0, 1, ""), ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::settings, 0, 0, "abc"), ErrorCode::frame_size_error},
        Broken{h2::frame(FrameType::settings, flag::ack, 0, "abcdef"), ErrorCode::frame_size_error},
        Broken{h2::settings({{h2::Setting::enable_push, 2}}), ErrorCode::protocol_error},
        Broken{h2::settings({{h2::Setting::initial_window_size, 0x8000'0000}}),
               ErrorCode::flow_control_error},
        Broken{h2::settings({{h2::Setting::max_frame_size, 16'383}}), ErrorCode::protocol_error},
        Broken{h2::settings({{h2::Setting::max_frame_size, 1u << 24u}}), ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::push_promise, flag::end_headers, 1, "abcd"),
               ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::goaway, 0, 1, "12345678"), ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::goaway, 0, 0, "1234"), ErrorCode::frame_size_error},
        Broken{h2::frame(FrameType::priority, 0, 0, "abcde"), ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::priority_update, 0, 1, h2::number(1)),
               ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::priority_update, 0, 0, "abc"), ErrorCode::frame_size_error},
        Broken{h2::frame(FrameType::continuation, flag::end_headers, 1, ""),
               ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::headers, 0, 3, "") + h2::ping(), ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::headers, 0, 3, "") +
                   h2::frame(FrameType::continuation, flag::end_headers, 5, ""),
               ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::headers, flag::end_headers, 3, "\xbe"),
               ErrorCode::compression_error},
        Broken{h2::frame(FrameType::headers, flag::end_headers | flag::padded, 3,
                         "\x05"
                         "ab"),
               ErrorCode::protocol_error},
        Broken{h2::frame(FrameType::headers, flag::end_headers | flag::priority, 3, "ab"),
               ErrorCode::frame_size_error},
        Broken{h2::frame(static_cast<FrameType>(99), 0, 0, std::string(16'385, 'a')),
               ErrorCode::frame_size_error}));

TEST(Http2Leaving, WhatIsNoHttp2IsTold) {
    Http2Driver peer{hello};
    peer.receive("GET / HTTP/1.1\r\n");
    ASSERT_EQ(peer.reader.goaways.size(), 1u);
    EXPECT_EQ(peer.reader.goaways[0].code(), ErrorCode::protocol_error);
    Http2Driver unsettled{hello};
    unsettled.receive(std::string{http2::preface} + h2::ping());
    ASSERT_EQ(unsettled.reader.goaways.size(), 1u);
    EXPECT_EQ(unsettled.reader.goaways[0].code(), ErrorCode::protocol_error);
}

}  // namespace
}  // namespace weir::http
