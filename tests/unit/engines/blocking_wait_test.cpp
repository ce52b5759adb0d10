#include "engines/threads/blocking_wait.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/troubles.h"
#include "net/clock.h"
#include "net/event_fd.h"
#include "unit/engines/bare_host.h"
#include "unit/engines/fake_connection.h"
#include "unit/net/connected_pair.h"

namespace weir::engines {
namespace {

using http::Step;
using namespace std::chrono_literals;

class BlockingWaitTest : public ::testing::Test {
   protected:
    BlockingWaitTest() {
        auto [here, there] = net::connected_pair();
        ::fcntl(here.get(), F_SETFL, O_NONBLOCK);
        theirs = std::move(there);
        peer.socket = std::move(here);
        auto fake = std::make_unique<FakeConnection>();
        connection = fake.get();
        peer.connection = std::move(fake);
    }

    void they_send(std::string_view bytes) const {
        ASSERT_EQ(::send(theirs.get(), bytes.data(), bytes.size(), 0),
                  static_cast<ssize_t>(bytes.size()));
    }

    BareHost bare;
    std::array<char, 16> buffer;
    BlockingWait wait{bare.host, buffer};
    net::UniqueFd theirs;
    Peer peer;
    FakeConnection* connection;
};

TEST_F(BlockingWaitTest, WaitsForBytesAndThenReceivesThem) {
    they_send("abc");
    wait.receive(peer);
    EXPECT_EQ(connection->log, "") << "nothing is tried before the socket is known to be readable";
    wait.receive(peer);
    EXPECT_EQ(connection->log, "abc");
}

TEST_F(BlockingWaitTest, WaitsForRoomAndThenSends) {
    connection->step(Step::transmit);
    connection->transmission.parts[0] = "abcd";
    wait.transmit(peer);
    EXPECT_EQ(connection->log, "");
    wait.transmit(peer);
    EXPECT_EQ(connection->log, "<transmitted 4>");
}

TEST_F(BlockingWaitTest, ExchangeWaitsForEither) {
    connection->step(Step::exchange);
    connection->transmission.parts[0] = "abcd";
    they_send("abc");
    wait.exchange(peer);
    wait.exchange(peer);
    EXPECT_EQ(connection->log, "<transmitted 4>abc");
}

TEST_F(BlockingWaitTest, WakesForTheDeadline) {
    connection->deadline(net::read_clock().instant);
    connection->step(Step::wait);
    wait.await_answer(peer);
    EXPECT_EQ(connection->log, "<expire>");
}

TEST_F(BlockingWaitTest, WhatCameInTimeIsReceivedBeforeTheDeadlineIsLookedAt) {
    connection->deadline(net::read_clock().instant);
    they_send("abc");
    wait.receive(peer);
    wait.receive(peer);
    EXPECT_EQ(connection->log, "abc<expire>");
}

TEST_F(BlockingWaitTest, DeliversCompletionsOfItsPeerAlone) {
    peer.completions = &wait.completions();
    connection->step(Step::wait);
    const auto postbox = peer.postbox();
    postbox->wake({.connection = peer.number() + 1, .request = {}});
    postbox->wake({.connection = peer.number(), .request = {}});
    wait.await_answer(peer);
    EXPECT_EQ(connection->log, "<wake>");
}

TEST_F(BlockingWaitTest, ALostPeerEndsTheWaitForItsAnswer) {
    connection->step(Step::wait);
    theirs.reset();
    wait.await_answer(peer);
    EXPECT_EQ(connection->failed, http::Outcome::peer_gone);
}

TEST_F(BlockingWaitTest, TheStopRetiresAConnectionOnce) {
    bare.stop.request_drain();
    wait.receive(peer);
    EXPECT_EQ(connection->log, "<retire>");
    they_send("abc");
    wait.receive(peer);
    wait.receive(peer);
    EXPECT_EQ(connection->log, "<retire>abc");
}

TEST_F(BlockingWaitTest, WhatHasArrivedIsReceivedBeforeTheStopIsObeyed) {
    they_send("abc");
    bare.stop.request_drain();
    wait.receive(peer);
    wait.receive(peer);
    EXPECT_EQ(connection->log, "abc<retire>");
}

TEST_F(BlockingWaitTest, TheNextConnectionIsRetiredToo) {
    bare.stop.request_drain();
    wait.receive(peer);
    ++peer.generation;
    wait.receive(peer);
    EXPECT_EQ(connection->log, "<retire><retire>");
}

TEST_F(BlockingWaitTest, TheEndOfTheStopTimeoutCutsAConnection) {
    bare.host.options.stop_timeout = 0ms;
    bare.stop.request_drain();
    wait.receive(peer);
    EXPECT_EQ(connection->failed, http::Outcome::stopped);
}

TEST_F(BlockingWaitTest, TheStopTimeoutRunsFromTheStopAndNotFromTheFirstLook) {
    EXPECT_EQ(bare.host.cut_at(), never);
    bare.stop.request_drain();
    const Instant cut_at = bare.host.cut_at();
    EXPECT_EQ(cut_at, bare.stop.requested_at() + bare.host.options.stop_timeout);
    while (net::read_clock().instant <= bare.stop.requested_at()) {}
    wait.receive(peer);
    EXPECT_EQ(bare.host.cut_at(), cut_at);
}

struct WithABacklog : BlockingWaitTest {
    net::EventFd queued;
    BlockingWait wait{bare.host, buffer, {.queue_fd = queued.fd()}};
};

TEST_F(WithABacklog, ASilentPeerIsRetiredOnce) {
    connection->impact = http::CloseImpact::idle;
    queued.signal();
    for (int i = 0; i < 3; ++i) wait.receive(peer);
    EXPECT_EQ(connection->log, "<retire>");
    EXPECT_EQ(connection->failed, std::nullopt);
}

TEST_F(WithABacklog, APeerThatSpeaksIsNot) {
    queued.signal();
    they_send("abc");
    wait.receive(peer);
    wait.receive(peer);
    EXPECT_EQ(connection->log, "abc");
}

TEST_F(WithABacklog, APeerThatAlwaysAsksIsRetiredBehindItsRequest) {
    connection->impact = http::CloseImpact::idle;
    queued.signal();
    while (connection->log.find("<retire>") == std::string::npos) {
        connection->log.clear();
        they_send("abc");
        wait.receive(peer);  // waits, and finds the bytes
        wait.receive(peer);
    }
    EXPECT_EQ(connection->log, "abc<retire>");
}

TEST_F(WithABacklog, APeerThatNeverSpokeIsCut) {
    connection->impact = http::CloseImpact::unfinished;
    queued.signal();
    wait.receive(peer);
    EXPECT_EQ(connection->log, "<retire>");
    wait.receive(peer);
    EXPECT_EQ(connection->log, "<retire>");
    EXPECT_EQ(connection->failed, http::Outcome::timed_out);
}

TEST_F(WithABacklog, APeerWhoseHeadDripsIsTurnedAway) {
    connection->impact = http::CloseImpact::unfinished;
    queued.signal();
    const auto slow_before = troubles().count(Trouble::slow_peers);
    while (connection->log.find("<turn away>") == std::string::npos) {
        they_send("a");
        wait.receive(peer);
    }
    EXPECT_EQ(connection->failed, std::nullopt);
    EXPECT_EQ(troubles().count(Trouble::slow_peers), slow_before + 1);
    connection->step(Step::transmit);
    peer.writable = false;
    wait.transmit(peer);  // it has its answer, or has not taken it: that was all
    EXPECT_EQ(connection->failed, http::Outcome::timed_out);
}

TEST_F(WithABacklog, NobodyGivesWayToNobody) {
    connection->impact = http::CloseImpact::unfinished;
    connection->deadline(net::read_clock().instant + 3 * PeerTimeSlice::length);
    while (connection->log.empty()) wait.receive(peer);
    EXPECT_EQ(connection->log, "<expire>");
}

TEST_F(WithABacklog, AHandlerIsNotCut) {
    connection->step(Step::wait);
    connection->deadline(net::read_clock().instant + 3 * PeerTimeSlice::length);
    queued.signal();
    while (connection->log.empty()) wait.await_answer(peer);
    EXPECT_EQ(connection->log, "<expire>");
}

TEST_F(WithABacklog, APeerThatWasRetiredForItIsCutByTheStop) {
    queued.signal();
    wait.receive(peer);
    bare.host.options.stop_timeout = 0ms;
    const std::jthread stopping{[this] { bare.stop.request_drain(); }};
    wait.receive(peer);  // the stop comes before this wait or during it
    EXPECT_EQ(connection->failed, http::Outcome::stopped);
}

}  // namespace
}  // namespace weir::engines
