// The multiplexing test protocol: deadlines, the stop, and other ends.

#include "multiplex_driver.h"

namespace weir::tests::multiplex {
namespace {

using http::Step;
using std::chrono::milliseconds;

TEST(MultiplexDeadlines, EachRequestHasItsOwn) {
    Driver driver{later};
    driver.request("/a");
    driver.pass(driver.timeouts.handler / 2);
    driver.request("/b");
    driver.pass(driver.timeouts.handler / 2);
    EXPECT_EQ(driver.stream(1).refused, "handler too slow");
    EXPECT_FALSE(driver.stream(2).is_over());
    EXPECT_FALSE(driver.connection->awaits(1));
    driver.respond(1, text("too late"));
    driver.respond(2, text("in time"));
    EXPECT_EQ(driver.stream(2).content, "in time");
    EXPECT_EQ(driver.step(), Step::receive);
    ASSERT_EQ(driver.answered_targets.size(), 2u);
    EXPECT_EQ(driver.answered_targets[0].second, http::Outcome::timed_out);
}

TEST(MultiplexDeadlines, RequestThatIsNeverTakenExpires) {
    Driver driver{hello};
    driver.handles = false;
    driver.request("/");
    driver.pass(driver.timeouts.handler);
    EXPECT_EQ(driver.stream(1).refused, "handler too slow");
    EXPECT_EQ(driver.step(), Step::receive);
}

TEST(MultiplexDeadlines, OutputThatIsNotTaken) {
    Driver driver{hello};
    driver.takes_output = false;
    driver.request("/");
    driver.pass(driver.timeouts.transmit / 2);
    driver.request("/");  // no progress
    driver.pass(driver.timeouts.transmit / 2);
    EXPECT_EQ(driver.step(), Step::close);
    EXPECT_EQ(driver.answered_targets.size(), 2u);
}

TEST(MultiplexDeadlines, WindowThatStaysClosed) {
    Driver driver{[](const http::Request&) { return text(pattern(0, 100'000)); }};
    driver.grants = false;
    driver.request("/");
    driver.pass(driver.timeouts.transmit / 2);
    driver.receive(driver.peer.grant(1, 10));
    driver.pass(driver.timeouts.transmit / 2);
    EXPECT_FALSE(driver.stream(1).is_over());
    driver.pass(driver.timeouts.transmit);
    EXPECT_EQ(driver.stream(1).refused, "window too slow");
    EXPECT_EQ(driver.step(), Step::receive);
}

TEST(MultiplexDeadlines, ContentThatStops) {
    Driver driver{[](const http::Request&) -> http::Reply { return http::ReadContent{}; }};
    driver.upload("/");
    driver.receive(driver.peer.data(1, "some"));
    driver.pass(driver.timeouts.body);
    EXPECT_EQ(driver.stream(1).refused, "content too slow");
}

TEST(MultiplexDeadlines, FrameThatStops) {
    Driver driver{hello};
    driver.receive(driver.peer.request("/").substr(0, 10));
    driver.pass(driver.timeouts.head);
    EXPECT_EQ(driver.peer.refused(), "frame too slow");
    EXPECT_EQ(driver.step(), Step::drain);
    driver.pass(driver.timeouts.drain);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(MultiplexDeadlines, Silence) {
    Driver fresh{hello};
    fresh.pass(fresh.timeouts.head);
    EXPECT_EQ(fresh.step(), Step::close);

    Driver used{hello};
    used.request("/");
    used.pass(used.timeouts.head);
    EXPECT_EQ(used.step(), Step::receive);
    used.pass(used.timeouts.keep_alive);
    EXPECT_EQ(used.step(), Step::close);
}

TEST(MultiplexDeadlines, PeerThatTakesTooLittleIsCutAndReset) {
    for (const bool enough : {true, false}) {
        Driver driver{[](const http::Request&) { return text(pattern(0, 50'000)); }};
        driver.takes_output = false;
        driver.request("/");
        driver.take(10'000);
        driver.queued = enough ? 0 : 5'000;
        driver.pass(driver.timeouts.transmit);
        EXPECT_EQ(driver.step() == Step::close, !enough);
        EXPECT_EQ(driver.connection->resets(), !enough);
    }
}

TEST(MultiplexDeadlines, DrainingEndsWithThePeersPauseOrItsTime) {
    for (const bool pauses : {true, false}) {
        Driver driver{hello};
        driver.receive("nonsense");
        const auto pause = driver.timeouts.drain - milliseconds{1};
        for (auto left = driver.timeouts.drain_total; left > pause; left -= pause) {
            driver.pass(pause);
            ASSERT_EQ(driver.step(), Step::drain);
            driver.receive(std::string(1'000'000, 'x'));
        }
        driver.pass(pauses ? driver.timeouts.drain : pause);
        EXPECT_EQ(driver.step(), Step::close);
    }
}

TEST(MultiplexDeadlines, TooEarlyIsIgnored) {
    Driver driver{later};
    driver.request("/");
    driver.connection->expire(driver.now, driver.queued);
    driver.drive();
    EXPECT_TRUE(driver.connection->awaits(1));
}

TEST(MultiplexStop, FinishesWhatHasArrivedAndRefusesTheRest) {
    Driver driver{later, {.requests = 2}};
    driver.receive(
        all({driver.peer.request("/a"), driver.peer.request("/b"), driver.peer.request("/c")}));
    driver.connection->retire(driver.now);
    driver.drive();
    EXPECT_FALSE(driver.peer.goaway());  // /c is still in the input
    driver.respond(1, text("a"));
    EXPECT_EQ(driver.handled.size(), 3u);
    driver.respond(3, text("c"));
    EXPECT_EQ(driver.peer.goaway(), 3u);
    driver.request("/d");
    EXPECT_EQ(driver.stream(4).refused, "going away");
    driver.respond(2, text("b"));
    EXPECT_TRUE(driver.stream(2).is_whole);
    EXPECT_EQ(driver.step(), Step::drain);
    driver.receive_end();
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(MultiplexStop, WaitsForCanceledRequestsAsLongAsTheirTimeLasts) {
    for (const bool replies : {true, false}) {
        Driver driver{later};
        driver.request("/");
        driver.receive(driver.peer.cancel(1));
        driver.connection->retire(driver.now);
        driver.drive();
        EXPECT_EQ(driver.peer.goaway(), 1u);
        EXPECT_EQ(driver.step(), Step::receive);
        if (replies)
            driver.respond(1, text(""));
        else
            driver.pass(driver.timeouts.handler);
        EXPECT_EQ(driver.step(), Step::drain);
    }
}

TEST(MultiplexStop, WaitsAMomentForAFirstRequest) {
    for (const bool comes : {true, false}) {
        Driver driver{hello};
        driver.connection->retire(driver.now);
        driver.drive();
        EXPECT_FALSE(driver.peer.goaway());
        if (comes)
            driver.request("/");
        else
            driver.pass(milliseconds{1000});
        EXPECT_EQ(driver.peer.goaway(), comes ? 1u : 0u);
        EXPECT_EQ(driver.peer.over().size(), comes ? 1u : 0u);
        EXPECT_EQ(driver.step(), Step::drain);
    }
}

TEST(MultiplexEnds, HalfClosedPeerGetsItsAnswers) {
    Driver driver{later, {.requests = 2}};
    driver.receive(
        all({driver.peer.request("/a"), driver.peer.request("/b"), driver.peer.request("/c")}));
    driver.respond(2, text("b"));
    driver.grants = false;  // nothing may come behind half a frame
    driver.receive(driver.peer.request("/d").substr(0, 9));
    driver.respond(1, text("a"));
    driver.receive_end();
    EXPECT_EQ(driver.step(), Step::wait);
    driver.respond(3, text("c"));
    EXPECT_EQ(driver.peer.over(), (std::vector<std::uint32_t>{2, 1, 3}));
    EXPECT_EQ(driver.step(), Step::close);
    EXPECT_EQ(driver.handled.size(), 3u);
}

TEST(MultiplexEnds, HalfClosedPeerCanGrantNoMore) {
    Driver driver{[](const http::Request&) { return text(pattern(0, 100'000)); }};
    driver.grants = false;
    driver.request("/");
    driver.receive_end();
    EXPECT_EQ(driver.stream(1).refused, "window closed");
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(MultiplexEnds, HalfCloseCutsUnfinishedContent) {
    Driver driver{[](const http::Request&) -> http::Reply { return http::ReadContent{}; }};
    driver.upload("/");
    driver.receive(driver.peer.data(1, "some"));
    driver.receive_end();
    EXPECT_EQ(driver.handled.size(), 1u);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(MultiplexEnds, TurnedAwayPeerIsTold) {
    Driver driver{later};
    driver.request("/a");
    driver.connection->turn_away(driver.now);
    driver.drive();
    EXPECT_EQ(driver.peer.refused(), "overloaded");
    EXPECT_EQ(driver.step(), Step::drain);
    driver.respond(1, text("too late"));
    EXPECT_EQ(driver.step(), Step::drain);
}

TEST(MultiplexEnds, FailureIsToldOncePerRequest) {
    Driver driver{[](const http::Request& request) -> http::Reply {
        if (request.target() == "/big") return text(pattern(0, 100'000));
        return http::Later{};
    }};
    driver.takes_output = false;
    driver.request("/a");
    driver.request("/big");
    driver.request("/c");
    driver.receive(driver.peer.cancel(3));
    driver.connection->fail(http::Outcome::stopped, driver.now);
    driver.connection.reset();
    using Pair = std::pair<std::string, http::Outcome>;
    EXPECT_EQ(driver.answered_targets, (std::vector<Pair>{{"/c", http::Outcome::peer_gone},
                                                          {"/a", http::Outcome::stopped},
                                                          {"/big", http::Outcome::stopped}}));
}

TEST(MultiplexEnds, NonsenseIsRefused) {
    for (const std::string& bytes :
         {std::string{"GET / HTTP/1.1\r\n\r\n"}, frame(FrameType::request, 1, "no request"),
          frame(FrameType::data, 1, "x"), frame(FrameType::answer, 1, "200"),
          frame(FrameType::window, 1, "x"), frame(FrameType::cancel, 0),
          frame(FrameType::request, 1, "GET /\r\n") + frame(FrameType::request, 0, "GET /")}) {
        Driver driver{hello};
        driver.receive(bytes);
        EXPECT_EQ(driver.peer.refused(), "malformed") << bytes;
        EXPECT_EQ(driver.step(), Step::drain);
    }
}

}  // namespace
}  // namespace weir::tests::multiplex
