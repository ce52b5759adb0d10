// Each timer of the connection, in virtual time.

#include <gtest/gtest.h>

#include "base/troubles.h"
#include "connection_driver.h"

namespace weir::http {
namespace {

using namespace std::chrono_literals;

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(Deadline, ASilentConnectionIsClosedWithoutAnAnswer) {
    ConnectionDriver peer{hello};
    peer.pass(peer.timeouts.head - 1ms);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.pass(1ms);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.sent, "");
}

TEST(Deadline, ASlowHeadIsAnswered408HoweverItDrips) {
    ConnectionDriver peer{hello};
    peer.receive(get);
    peer.take_sent();
    const auto drip = peer.timeouts.head / 10;
    peer.receive("G");
    for (int i = 1; i < 10; ++i) {
        peer.pass(drip);
        ASSERT_EQ(peer.step(), Step::receive) << i;
        peer.receive(get.substr(static_cast<std::size_t>(i), 1));
    }
    peer.pass(drip);
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 408 Request Timeout\r\n")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::drain);
}

TEST(Deadline, AnIdleConnectionIsClosedSilently) {
    ConnectionDriver peer{hello};
    peer.receive(get);
    peer.take_sent();
    peer.pass(peer.timeouts.keep_alive - 1ms);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.pass(1ms);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.sent, "");
}

TEST(Deadline, AnEmptyLineIsNoRequest) {
    ConnectionDriver peer{hello};
    peer.receive(get);
    peer.receive("\r\n");
    peer.take_sent();
    peer.pass(peer.timeouts.keep_alive);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.sent, "");
    ConnectionDriver retired{hello};
    retired.receive(get + "\r\n");
    retired.connection->retire(retired.now);
    retired.pass(100ms);
    EXPECT_EQ(retired.step(), Step::close);
}

TEST(Deadline, ZeroSwitchesATimerOff) {
    Timeouts timeouts;
    timeouts.keep_alive = 0ms;
    ConnectionDriver peer{hello, {}, timeouts};
    peer.receive(get);
    EXPECT_EQ(peer.connection->deadline(), never);
}

Reply a_megabyte(const Request&) {
    Response response;
    response.content(std::string(1'000'000, 'x'));
    return response;
}

TEST(Deadline, APeerThatTakesNothingIsCut) {
    ConnectionDriver peer{hello};
    peer.send_max = 0;
    peer.receive(get);
    peer.pass(peer.timeouts.transmit - 1ms);
    EXPECT_EQ(peer.step(), Step::transmit);
    peer.pass(1ms);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_TRUE(peer.connection->resets());
    EXPECT_EQ(peer.seen.size(), 1u);
}

TEST(Deadline, WhatTheKernelTakesIsNotTakenByThePeer) {
    ConnectionDriver peer{a_megabyte};
    peer.send_max = 0;
    peer.receive(get);
    peer.connection->transmitted(500'000, peer.now);
    peer.queued = 500'000;
    peer.pass(peer.timeouts.transmit);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.seen.back().outcome, Outcome::timed_out);
}

/// Has the peer take so many bytes in each time that is allowed, and returns how often it may.
int looks_outlived(std::uint64_t taken_each_time, std::uint32_t rate_min) {
    ConnectionDriver peer{a_megabyte};
    peer.timeouts.transmit_rate_min = rate_min;
    peer.send_max = 0;
    peer.receive(get);
    peer.connection->transmitted(500'000, peer.now);
    peer.queued = 500'000;
    int looks = 0;
    for (; peer.step() == Step::transmit && looks < 10; ++looks) {
        peer.pass(peer.timeouts.transmit / 2);
        peer.connection->transmitted(1, peer.now);  // the look is no later for that
        peer.queued -= taken_each_time - 1;
        peer.pass(peer.timeouts.transmit / 2);
    }
    return looks;
}

TEST(Deadline, APeerThatTakesAnAnswerByDripsIsCut) {
    const Timeouts timeouts;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeouts.transmit);
    const auto enough = static_cast<std::uint64_t>(seconds.count()) * timeouts.transmit_rate_min;
    EXPECT_EQ(looks_outlived(enough, timeouts.transmit_rate_min), 10);
    EXPECT_EQ(looks_outlived(enough - 1, timeouts.transmit_rate_min), 1);
    EXPECT_EQ(looks_outlived(2, 0), 10);
}

TEST(Deadline, ASourceThatGivesALittleAtATimeGivesThePeerNoMoreTime) {
    struct Drips final : Source {
        Pulled pull(std::span<char> into) override {
            into[0] = 'x';
            return Ready{1};
        }
    };
    ConnectionDriver peer{[](const Request&) -> Reply {
        Response response;
        response.content(std::make_unique<Drips>());
        return response;
    }};
    peer.send_max = 0;
    peer.receive(get);
    const Instant look = peer.connection->deadline();
    for (int i = 0; i < 10; ++i) {
        peer.pass(1s);
        const Transmission all = peer.connection->transmit();
        peer.connection->transmitted(all.part_bytes(), peer.now);
        EXPECT_EQ(peer.connection->deadline(), look);
    }
}

TEST(Deadline, ThePeersSlownessIsNoted) {
    const auto before = troubles().count(Trouble::slow_peers);
    ConnectionDriver reader{hello};
    reader.send_max = 0;
    reader.receive(get);
    reader.pass(reader.timeouts.transmit);
    ConnectionDriver head{hello};
    head.receive("GET");
    head.pass(head.timeouts.head);
    ConnectionDriver content{[](const Request&) -> Reply { return ReadContent{}; }};
    content.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf");
    content.pass(content.timeouts.body);
    EXPECT_EQ(troubles().count(Trouble::slow_peers), before + 3);
    ConnectionDriver silent{hello};
    silent.pass(silent.timeouts.head);
    EXPECT_EQ(troubles().count(Trouble::slow_peers), before + 3);
}

TEST(Deadline, AHandlerThatTakesTooLongBecomesA503AndItsAnswerIsIgnored) {
    std::vector<Deferred> deferred;
    ConnectionDriver peer{[&](const Request& request) -> Reply {
        deferred.push_back(request.defer());
        return Later{};
    }};
    peer.receive(get);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.pass(peer.timeouts.handler);
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 503 ")) << peer.sent;
    peer.take_sent();
    deferred.back().respond(Response{});
    peer.deliver();
    EXPECT_EQ(peer.sent, "");
    EXPECT_EQ(peer.step(), Step::drain);
}

TEST(Deadline, ContentThatStopsComingIsAnswered408) {
    ConnectionDriver peer{[](const Request& request) -> Reply {
        if (request.content_pending()) return ReadContent{};
        return Response{};
    }};
    peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n");
    peer.pass(peer.timeouts.body - 1ms);
    peer.receive("abc");
    peer.pass(1ms);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.pass(peer.timeouts.body);
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 408 ")) << peer.sent;
}

TEST(Deadline, ContentThatDripsIsCutByItsMeanRate) {
    ConnectionDriver peer{[](const Request& request) -> Reply {
        if (request.content_pending()) return ReadContent{};
        return Response{};
    }};
    peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
    int bytes = 0;
    for (; peer.step() == Step::receive && bytes < 1000; ++bytes) {
        peer.receive("x");
        peer.pass(1s);  // far within the longest pause
    }
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 408 ")) << peer.sent;
    EXPECT_LT(bytes, 40);
}

TEST(Deadline, ACallThatIsTooEarlyIsIgnored) {
    ConnectionDriver peer{hello};
    peer.connection->expire(peer.now, 0);
    EXPECT_EQ(peer.step(), Step::receive);
}

}  // namespace
}  // namespace weir::http
