#include "engines/loop/loop_connections.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

class NoHandler final : public http::Handler {
   public:
    http::Reply handle(const http::Request& /*request*/) override { return http::Response{}; }
};

/// Takes down what LoopConnections asks of it.
struct FakeEngine : LoopHooks {
    void on_accepted(Peer& /*peer*/) { log += "accepted "; }
    void drive(Peer& peer) {
        log += "drive ";
        if (peer.connection->step() == http::Step::close) connections->close(peer, *this);
    }
    void forget(Peer& /*peer*/) { log += "forget "; }
    bool keeps(const Peer& /*peer*/) const { return is_keeping; }
    void abandon() { log += "abandon "; }
    void tell_received() { ++times_told; }

    LoopConnections* connections = nullptr;
    bool is_keeping = false;
    int times_told = 0;  // of the bytes that the engine has received
    std::string log;
};

class LoopOfConnections : public ::testing::Test {
   protected:
    LoopOfConnections() { engine.connections = &connections; }

    /// One that another thread has accepted.
    Peer& accept() {
        std::array<int, 2> pair;
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair.data()), 0);
        clients.emplace_back(pair[1]);
        EXPECT_TRUE(limit.acquire());
        inbox.put({.kind = net::Accepted::Kind::connection, .socket = net::UniqueFd{pair[0]}});
        connections.acceptor().note_arrivals();
        turn();
        return *connections.peers().at(last_slot++);
    }
    void turn() {
        connections.begin_turn(engine);
        connections.end_turn(engine);
    }
    bool has_room(int connections_more) {
        int acquired = 0;
        while (acquired < connections_more && limit.acquire()) ++acquired;
        for (int i = 0; i < acquired; ++i) limit.release({});
        return acquired == connections_more;
    }
    static FakeConnection& connection_of(Peer& peer) {
        return static_cast<FakeConnection&>(*peer.connection);
    }
    std::string taken_log() { return std::exchange(engine.log, {}); }

    NoHandler handler;
    const http::Limits limits;
    const http::Timeouts timeouts;
    net::StopSignal stop;
    Host host{.listeners = {},
              .handler = handler,
              .limits = limits,
              .timeouts = timeouts,
              .observer = nullptr,
              .stop = stop,
              .options = {.stop_timeout = std::chrono::hours{1}},
              .connect = [](auto&, auto&, Now) { return std::make_unique<FakeConnection>(); }};
    ConnectionLimit limit{2};
    Inbox<net::Accepted> inbox;
    LoopConnections connections{host, limit, inbox};
    FakeEngine engine;
    std::vector<net::UniqueFd> clients;
    std::uint32_t last_slot = 0;
};

TEST_F(LoopOfConnections, MeetsEachThatIsAccepted) {
    accept();
    EXPECT_EQ(taken_log(), "accepted ");
    turn();
    EXPECT_EQ(taken_log(), "");
    EXPECT_FALSE(connections.are_done());
}

TEST_F(LoopOfConnections, RestSettlesAndWatchesTheDeadline) {
    Peer& peer = accept();
    connection_of(peer).deadline(connections.now().instant + std::chrono::seconds{5});
    Turn stuck;
    stuck.count(false);
    connections.rest(peer, stuck, engine);
    EXPECT_EQ(connection_of(peer).log, "<take_ownership>");
    EXPECT_EQ(connections.run_queue().next(), peer.connection->deadline());
    EXPECT_GT(connections.time_to_wait(), 0);
}

/// The loop may be late, and not the peer.
TEST_F(LoopOfConnections, WhatHasArrivedComesBeforeADeadlineThatHasPassed) {
    Peer& peer = accept();
    connection_of(peer).step(http::Step::receive);
    connection_of(peer).deadline(connections.now().instant);
    connections.run_queue().watch_deadline(peer);
    ASSERT_EQ(::send(clients.front().get(), "request", 7, 0), 7);
    std::thread{[&] { peer.postbox()->wake({.connection = peer.number(), .request = 1}); }}.join();
    taken_log();
    turn();
    EXPECT_EQ(connection_of(peer).log, "<wake>request<expire>");
    EXPECT_EQ(taken_log(), "drive drive ");
    EXPECT_EQ(engine.times_told, 1);
}

TEST_F(LoopOfConnections, ADeadlineThatHasPassedNeedsNoBytes) {
    Peer& peer = accept();
    connection_of(peer).step(http::Step::receive);
    connection_of(peer).deadline(connections.now().instant);
    connections.run_queue().watch_deadline(peer);
    turn();
    EXPECT_EQ(connection_of(peer).log, "<expire>");
}

TEST_F(LoopOfConnections, RestPostponesThePeerWhoseTurnIsUsedUp) {
    Peer& peer = accept();
    Turn turn_of_peer;
    while (turn_of_peer.goes_on()) turn_of_peer.count(true);
    connections.rest(peer, turn_of_peer, engine);
    taken_log();
    EXPECT_EQ(connections.time_to_wait(), 0);
    turn();
    EXPECT_EQ(taken_log(), "drive ");
}

TEST_F(LoopOfConnections, OneThatGivesWayClosesAtOnceOrHasAnotherTurn) {
    FakeConnection& silent = connection_of(accept());
    silent.impact = http::CloseImpact::idle;
    FakeConnection& polite = connection_of(accept());
    taken_log();
    limit.evictions().ask(1, EvictionScope::idle);
    turn();
    EXPECT_EQ(taken_log(), "forget ");
    polite.impact = http::CloseImpact::idle;
    polite.leaves_at = http::Step::transmit;
    limit.evictions().ask(1, EvictionScope::idle);
    turn();
    EXPECT_EQ(polite.log, "<evict>");
    EXPECT_EQ(connections.time_to_wait(), 0);
    turn();
    EXPECT_EQ(taken_log(), "drive ");
}

TEST_F(LoopOfConnections, CloseFreesThePlaceAndMakesRoom) {
    Peer& peer = accept();
    accept();
    EXPECT_FALSE(has_room(1));
    taken_log();
    connections.close(peer, engine);
    EXPECT_EQ(taken_log(), "forget ");
    EXPECT_TRUE(has_room(1));
    EXPECT_EQ(connections.peers().size(), 1u);
}

TEST_F(LoopOfConnections, PeerThatIsKeptMakesRoomOnceAndIsFreedLater) {
    Peer& peer = accept();
    accept();
    engine.is_keeping = true;
    connections.close(peer, engine);
    EXPECT_TRUE(has_room(1));
    EXPECT_FALSE(has_room(2));
    EXPECT_EQ(connections.peers().size(), 2u);
    connections.free(peer);
    EXPECT_EQ(connections.peers().size(), 1u);
    EXPECT_FALSE(has_room(2));
}

TEST_F(LoopOfConnections, DrainReceivesAndRetiresEachConnectionOnce) {
    Peer& peer = accept();
    ASSERT_EQ(::send(clients[0].get(), "late", 4, 0), 4);
    stop.request_drain();
    inbox.close();
    taken_log();
    turn();
    EXPECT_TRUE(connections.is_stopping());
    EXPECT_FALSE(connections.is_cutting());
    EXPECT_EQ(connection_of(peer).log, "late<retire>");
    EXPECT_EQ(taken_log(), "drive ");
    turn();
    EXPECT_EQ(connection_of(peer).log, "late<retire>");
    EXPECT_FALSE(connections.are_done());
    connections.close(peer, engine);
    EXPECT_TRUE(connections.are_done());
}

TEST_F(LoopOfConnections, OneThatIsAcceptedWhileItDrainsIsRetiredAtOnce) {
    stop.request_drain();
    turn();
    EXPECT_EQ(connection_of(accept()).log, "<retire>");
}

TEST_F(LoopOfConnections, CutClosesAllWithoutWaiting) {
    accept();
    accept();
    stop.request_now();
    taken_log();
    turn();
    EXPECT_TRUE(connections.is_cutting());
    EXPECT_EQ(taken_log(), "drive drive abandon forget forget ");
    EXPECT_TRUE(connections.are_done());
}

TEST_F(LoopOfConnections, LentPeersAreNeitherRetiredNorCut) {
    Peer& peer = accept();
    connections.run_queue().detach(peer);
    stop.request_now();
    turn();
    EXPECT_EQ(connection_of(peer).log, "");
    EXPECT_FALSE(connections.are_done());
    connections.run_queue().reattach(peer);
    EXPECT_TRUE(connections.is_cutting());
    connections.cut(peer, engine);
    EXPECT_TRUE(connections.are_done());
}

TEST_F(LoopOfConnections, StopFdTellsWhatIsYetToBeObeyed) {
    EXPECT_EQ(connections.stop_fd(), stop.descriptor(net::StopSignal::State::running));
    stop.request_drain();
    turn();
    EXPECT_EQ(connections.stop_fd(), stop.descriptor(net::StopSignal::State::draining));
    stop.request_now();
    turn();
    EXPECT_EQ(connections.stop_fd(), -1);
}

}  // namespace
}  // namespace weir::engines
