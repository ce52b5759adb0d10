// The way of a request through the connection: keep-alive, pipelining, content, endings.

#include <gtest/gtest.h>

#include "connection_driver.h"

namespace weir::http {
namespace {

using namespace std::chrono_literals;

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(Connection, AnswersAndKeepsAlive) {
    ConnectionDriver peer{hello};
    EXPECT_EQ(peer.step(), Step::receive);
    for (int i = 0; i < 3; ++i) {
        peer.receive(get);
        EXPECT_EQ(peer.take_sent(), hello_answer);
        EXPECT_EQ(peer.step(), Step::receive);
    }
    EXPECT_EQ(peer.handled, 3);
    EXPECT_EQ(peer.flushes.size(), 3u);
}

TEST(Connection, SaysWhatItsPeerWouldLose) {
    ConnectionDriver peer{[](const Request&) -> Reply { return Later{}; }};
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::unfinished);
    peer.receive(get.substr(0, 5));
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::unfinished);
    peer.receive(get.substr(5));
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::handling);
}

TEST(Connection, BetweenRequestsItsPeerLosesNothing) {
    ConnectionDriver peer{hello};
    peer.receive(get);
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::idle);
    peer.receive("G");
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::unfinished);
}

TEST(Connection, WhileItSendsItIsWorking) {
    ConnectionDriver peer{hello};
    peer.send_max = 0;
    peer.receive(get);
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::working);
}

TEST(Connection, WithoutAClockThereIsNoDate) {
    ConnectionDriver peer{hello};
    peer.now.unix_seconds = 0;
    peer.receive(get);
    EXPECT_EQ(peer.sent.find("Date"), std::string::npos);
    EXPECT_TRUE(peer.sent.ends_with("hello"));
}

TEST(Connection, PipelinedRequestsLeaveInOneFlush) {
    ConnectionDriver peer{hello};
    std::string requests, answers;
    for (int i = 0; i < 16; ++i) requests += get, answers += hello_answer;
    peer.receive(requests);
    EXPECT_EQ(peer.sent, answers);
    EXPECT_EQ(peer.flushes.size(), 1u);
}

TEST(Connection, PipelinedOutputIsBounded) {
    Limits limits;
    limits.pipelined_output_bytes_max = 1000;
    ConnectionDriver peer{hello, limits};
    peer.send_max = 0;
    std::string requests;
    for (int i = 0; i < 1000; ++i) requests += get;
    peer.receive(requests);
    EXPECT_EQ(peer.step(), Step::transmit);
    EXPECT_LT(peer.handled, 20);
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_EQ(peer.handled, 1000);
    EXPECT_EQ(peer.sent.size(), 1000 * hello_answer.size());
}

TEST(Connection, EverySplitOfTwoRequestsIsAnsweredAlike) {
    const std::string requests = get + "HEAD /x HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n";
    const std::string head = hello_answer.substr(0, hello_answer.size() - 5);
    for (const bool settles : {false, true})
        for (std::size_t split = 1; split < requests.size(); ++split) {
            ConnectionDriver peer{hello};
            peer.settles = settles;
            peer.receive(requests.substr(0, split));
            peer.receive(requests.substr(split));
            EXPECT_EQ(peer.sent, hello_answer + head) << split;
            ASSERT_EQ(peer.seen.size(), 2u);
            EXPECT_EQ(peer.seen[1].target, "/x");
        }
}

TEST(Connection, AnyCutOfTheOutputSendsTheSame) {
    for (std::size_t send_max : {1, 2, 7, 50}) {
        ConnectionDriver peer{hello};
        peer.settles = true;
        peer.send_max = send_max;
        peer.receive(get + get);
        EXPECT_EQ(peer.sent, hello_answer + hello_answer);
    }
}

TEST(Connection, ClosesWhenThePeerAsks) {
    ConnectionDriver peer{hello};
    peer.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, close\r\n\r\n");
    EXPECT_NE(peer.sent.find("\r\nConnection: close\r\n"), std::string::npos);
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Connection, BytesBehindTheLastRequestAreDrainedNotHandled) {
    ConnectionDriver peer{hello};
    peer.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get);
    EXPECT_EQ(peer.handled, 1);
    EXPECT_EQ(peer.step(), Step::drain);
    peer.receive(get);
    EXPECT_EQ(peer.handled, 1);
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Connection, Http10ClosesUnlessAskedToKeepAlive) {
    ConnectionDriver peer{hello};
    peer.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_NE(peer.take_sent().find("\r\nConnection: keep-alive\r\n"), std::string::npos);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.receive("GET / HTTP/1.0\r\n\r\n");
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Connection, NotModifiedAndNoContentHaveNoContentAndNoLength) {
    for (const Status status : {Status::not_modified, Status::no_content}) {
        ConnectionDriver peer{[&](const Request&) -> Reply {
            Response response{status};
            response.content(std::string{"none of this"});
            return response;
        }};
        peer.receive(get);
        EXPECT_TRUE(peer.sent.ends_with("GMT\r\n\r\n")) << peer.sent;
        EXPECT_EQ(peer.step(), Step::receive);
    }
}

TEST(Connection, ACutRequestIsNeverHandled) {
    ConnectionDriver peer{hello};
    peer.receive("GET / HTTP/1.1\r\nHost: a\r\n");
    peer.receive_end();
    EXPECT_EQ(peer.handled, 0);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.sent, "");
}

TEST(Connection, AFaultIsAnsweredThenDrained) {
    ConnectionDriver peer{hello};
    peer.receive("GET / HTTP/1.1\r\nHost : a\r\n\r\n" + get);
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 400 Bad Request\r\n" + date)) << peer.sent;
    EXPECT_NE(peer.sent.find("\r\nConnection: close\r\n"), std::string::npos);
    EXPECT_EQ(peer.handled, 0);
    EXPECT_EQ(peer.step(), Step::drain);
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Connection, DrainsForAsLongAsThePeerGoesOnSending) {
    ConnectionDriver peer{hello};
    peer.receive("nonsense\r\n\r\n");
    peer.pass(peer.timeouts.drain - 1ms);
    for (int i = 0; i < 100; ++i) {  // 100 MB
        peer.receive(std::string(1'000'000, 'x'));
        ASSERT_EQ(peer.step(), Step::drain) << i;
    }
    peer.pass(peer.timeouts.drain - 1ms);
    peer.receive("more");
    peer.pass(peer.timeouts.drain - 1ms);
    EXPECT_EQ(peer.step(), Step::drain);
    peer.pass(1ms);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_FALSE(peer.connection->resets());
}

TEST(Connection, DrainsNoLongerThanAllItsTime) {
    ConnectionDriver peer{hello};
    peer.receive("nonsense\r\n\r\n");
    for (auto left = peer.timeouts.drain_total; left > 1s; left -= 1s) {
        peer.receive("more");
        peer.pass(1s);
        ASSERT_EQ(peer.step(), Step::drain);
    }
    peer.receive("more");
    peer.pass(1s);
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Connection, RequestsPerConnectionAreLimited) {
    Limits limits;
    limits.requests_per_connection_max = 2;
    ConnectionDriver peer{hello, limits};
    peer.receive(get + get + get);
    EXPECT_EQ(peer.handled, 2);
    EXPECT_EQ(peer.step(), Step::drain);
    EXPECT_NE(peer.sent.find("Connection: close"), std::string::npos);
}

TEST(Connection, RetiringClosesWhatIsIdleAndFinishesWhatIsNot) {
    ConnectionDriver idle{hello};
    idle.receive(get);
    idle.connection->retire(idle.now);
    EXPECT_EQ(idle.step(), Step::receive);
    idle.pass(100ms);
    EXPECT_EQ(idle.step(), Step::close);

    ConnectionDriver crossing{hello};
    crossing.receive(get);
    crossing.connection->retire(crossing.now);
    crossing.take_sent();
    crossing.receive(get);  // was on its way
    EXPECT_TRUE(crossing.sent.ends_with("hello"));
    EXPECT_EQ(crossing.step(), Step::drain);

    ConnectionDriver fresh{hello};
    fresh.connection->retire(fresh.now);
    fresh.receive(get);
    EXPECT_NE(fresh.sent.find("Connection: close"), std::string::npos);
    EXPECT_TRUE(fresh.sent.ends_with("hello"));

    ConnectionDriver partial{hello};
    partial.receive(get.substr(0, 10));
    partial.connection->retire(partial.now);
    partial.receive(get.substr(10));
    EXPECT_TRUE(partial.sent.ends_with("hello"));
    EXPECT_EQ(partial.step(), Step::drain);
}

// RFC 9112 9.5: a client that was told nothing may send its next request at the same moment.
TEST(Connection, RetiringLeavesTimeForTheNextRequest) {
    const Timeouts patient{.last_request = 1'000ms};
    ConnectionDriver idle{hello, {}, patient};
    idle.receive(get);
    idle.connection->retire(idle.now);
    idle.pass(999ms);
    EXPECT_EQ(idle.step(), Step::receive);
    idle.pass(1ms);
    EXPECT_EQ(idle.step(), Step::close);

    ConnectionDriver answered{hello, {}, patient};
    answered.send_max = 0;  // the answer is rendered before the stop, and sent after it
    answered.receive(get);
    answered.connection->retire(answered.now);
    answered.send_max = get.size() * 100;
    answered.drive();
    EXPECT_TRUE(answered.take_sent().ends_with("hello"));
    answered.pass(999ms);
    EXPECT_EQ(answered.step(), Step::receive);
    answered.receive(get);
    EXPECT_TRUE(answered.sent.contains("Connection: close"));
    EXPECT_EQ(answered.step(), Step::drain);
}

/// 503, with when to come back, and nothing behind it.
void expect_turned_away(ConnectionDriver& peer, const std::string& answers_before = "") {
    EXPECT_EQ(peer.sent.find("HTTP/1.1 503 Service Unavailable\r\n"), answers_before.size());
    EXPECT_TRUE(peer.sent.starts_with(answers_before));
    EXPECT_TRUE(peer.sent.contains("\r\nRetry-After: 1\r\n")) << peer.sent;
    EXPECT_TRUE(peer.sent.contains("\r\nConnection: close\r\n")) << peer.sent;
    EXPECT_EQ(peer.seen.back().status, Status::service_unavailable);
    // What it sends meanwhile is thrown away, or a reset would overtake the answer.
    EXPECT_EQ(peer.step(), Step::drain);
    const auto answered = peer.sent;
    peer.receive(get);
    EXPECT_EQ(peer.sent, answered);
    peer.pass(peer.timeouts.drain);
    EXPECT_EQ(peer.step(), Step::close);
}

TEST(Connection, ThatThereIsNoRoomForIsTurnedAway) {
    for (const std::string received : {"", "GET / HT"}) {
        ConnectionDriver peer{hello};
        if (!received.empty()) peer.receive(received);
        peer.connection->turn_away(peer.now);
        peer.drive();
        expect_turned_away(peer);
        EXPECT_EQ(peer.handled, 0);
    }
}

TEST(Connection, IsTurnedAwayBehindTheAnswersThatItHas) {
    ConnectionDriver peer{hello};
    const std::string three = get + get + get;  // borrowed until take_ownership()
    peer.connection->receive(three, peer.now);
    peer.connection->respond(1, hello(peer.connection->take_request()), peer.now);
    ASSERT_EQ(peer.step(), Step::handle);
    peer.connection->turn_away(peer.now);
    peer.drive();
    expect_turned_away(peer, hello_answer);
    EXPECT_EQ(peer.handled, 0);
}

TEST(Connection, ThatSendsContentIsTurnedAway) {
    ConnectionDriver peer{[](const Request&) -> Reply { return ReadContent{}; }};
    peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf");
    ASSERT_EQ(peer.step(), Step::receive);
    peer.connection->turn_away(peer.now);
    peer.drive();
    expect_turned_away(peer);
}

TEST(Connection, AnIdleConnectionKeepsNothing) {
    ConnectionDriver peer{hello};
    peer.receive(get.substr(0, 5));
    peer.receive(get.substr(5));
    EXPECT_LE(sizeof(Http1Connection), 88u);
}

}  // namespace
}  // namespace weir::http
