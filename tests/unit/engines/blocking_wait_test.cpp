#include "engines/threads/blocking_wait.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>

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
    BlockingWait wait{bare.host};
    net::UniqueFd theirs;
    Peer peer;
    FakeConnection* connection;
    std::array<char, 16> buffer;
};

TEST_F(BlockingWaitTest, WaitsForBytesAndThenReceivesThem) {
    they_send("abc");
    wait.receive(peer, buffer);
    EXPECT_EQ(connection->log, "") << "nothing is tried before the socket is known to be readable";
    wait.receive(peer, buffer);
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
    wait.exchange(peer, buffer);
    wait.exchange(peer, buffer);
    EXPECT_EQ(connection->log, "<transmitted 4>abc");
}

TEST_F(BlockingWaitTest, WakesForTheDeadline) {
    connection->deadline(net::read_clock().instant);
    connection->step(Step::wait);
    wait.await_answer(peer);
    EXPECT_EQ(connection->log, "<expire>");
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
    wait.receive(peer, buffer);
    EXPECT_EQ(connection->log, "<retire>");
    they_send("abc");
    wait.receive(peer, buffer);
    wait.receive(peer, buffer);
    EXPECT_EQ(connection->log, "<retire>abc");
}

TEST_F(BlockingWaitTest, WhatHasArrivedIsReceivedBeforeTheStopIsObeyed) {
    they_send("abc");
    bare.stop.request_drain();
    wait.receive(peer, buffer);
    wait.receive(peer, buffer);
    EXPECT_EQ(connection->log, "abc<retire>");
}

TEST_F(BlockingWaitTest, TheNextConnectionIsRetiredToo) {
    bare.stop.request_drain();
    wait.receive(peer, buffer);
    ++peer.generation;
    wait.receive(peer, buffer);
    EXPECT_EQ(connection->log, "<retire><retire>");
}

TEST_F(BlockingWaitTest, TheEndOfTheStopTimeoutCutsAConnection) {
    bare.host.options.stop_timeout = 0ms;
    bare.stop.request_drain();
    wait.receive(peer, buffer);
    EXPECT_EQ(connection->failed, http::Outcome::stopped);
}

TEST_F(BlockingWaitTest, TheStopTimeoutRunsFromTheStopAndNotFromTheFirstLook) {
    EXPECT_EQ(bare.host.cut_at(), never);
    bare.stop.request_drain();
    const Instant cut_at = bare.host.cut_at();
    EXPECT_EQ(cut_at, bare.stop.requested_at() + bare.host.options.stop_timeout);
    while (net::read_clock().instant <= bare.stop.requested_at()) {}
    wait.receive(peer, buffer);
    EXPECT_EQ(bare.host.cut_at(), cut_at);
}

struct WithABacklog : BlockingWaitTest {
    net::EventFd queued;
    BlockingWait wait{bare.host, {.queue_fd = queued.fd()}};
};

TEST_F(WithABacklog, ASilentPeerIsRetired) {
    queued.signal();
    wait.receive(peer, buffer);
    EXPECT_EQ(connection->log, "<retire>");
}

TEST_F(WithABacklog, APeerThatSpeaksIsNot) {
    queued.signal();
    they_send("abc");
    wait.receive(peer, buffer);
    wait.receive(peer, buffer);
    EXPECT_EQ(connection->log, "abc");
}

TEST_F(WithABacklog, APeerThatWasRetiredForItIsCutByTheStop) {
    queued.signal();
    wait.receive(peer, buffer);
    bare.host.options.stop_timeout = 0ms;
    const std::jthread stopping{[this] { bare.stop.request_drain(); }};
    wait.receive(peer, buffer);  // the stop comes before this wait or during it
    EXPECT_EQ(connection->failed, http::Outcome::stopped);
}

}  // namespace
}  // namespace weir::engines
