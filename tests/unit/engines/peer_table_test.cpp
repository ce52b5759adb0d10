#include "engines/peer/peer_table.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <vector>

#include "http/http1/http1_connection.h"
#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

Peer& add_to(PeerTable& peers) {
    Peer& peer = peers.add();
    peer.connection = std::make_unique<FakeConnection>();
    return peer;
}

TEST(PeerTable, FindsPeersBySlotAndTicket) {
    PeerTable peers;
    EXPECT_EQ(peers.size(), 0u);
    EXPECT_EQ(peers.at(0), nullptr);
    Peer& peer = add_to(peers);
    EXPECT_EQ(peers.size(), 1u);
    EXPECT_EQ(peers.at(peer.slot), &peer);
    EXPECT_EQ(peers.find(peer.number()), &peer);
    EXPECT_EQ(peers.at(12'345), nullptr);
}

TEST(PeerTable, AnOldTicketOpensNothing) {
    PeerTable peers;
    Peer& first = add_to(peers);
    const auto ticket = first.number();
    peers.remove(first);
    EXPECT_EQ(peers.size(), 0u);
    EXPECT_EQ(peers.find(ticket), nullptr);
    Peer& second = add_to(peers);
    EXPECT_EQ(&second, &first);  // the slot is used again
    EXPECT_EQ(peers.find(ticket), nullptr);
    EXPECT_EQ(peers.find(second.number()), &second);
}

TEST(PeerTable, ANewPeerKnowsNothingOfItsPredecessor) {
    PeerTable peers;
    Peer& peer = add_to(peers);
    const int fd = ::eventfd(0, EFD_CLOEXEC);
    peer.socket.reset(fd);
    peer.readable = peer.ended = peer.unfinished = peer.sending_finished = true;
    peers.remove(peer);
    EXPECT_EQ(::fcntl(fd, F_GETFD), -1);  // closed
    Peer& next = peers.add();
    EXPECT_EQ(&next, &peer);
    EXPECT_FALSE(next.readable || next.ended || next.unfinished || next.sending_finished ||
                 next.socket);
}

TEST(PeerTable, ManyStayWhereTheyAre) {
    constexpr std::size_t count = 1'000;
    PeerTable peers;
    std::vector<Peer*> added;
    for (std::size_t i = 0; i < count; ++i) added.push_back(&add_to(peers));
    for (Peer* const peer : added) EXPECT_EQ(peers.at(peer->slot), peer);
    std::size_t visited = 0;
    peers.each([&](Peer& peer) {
        ++visited;
        peers.remove(peer);
    });
    EXPECT_EQ(visited, count);
    EXPECT_EQ(peers.size(), 0u);
}

TEST(PeerTable, AnIdleConnectionCostsLittle) {
    // The connection and what malloc keeps beside it; the peer; its place among the free slots, in
    // the heap of deadlines, and its position there.
    constexpr std::size_t of_malloc = 16;
    constexpr std::size_t of_deadlines = 16 + 4;
    constexpr std::size_t whole = sizeof(Peer) + sizeof(std::uint32_t) + of_deadlines +
                                  sizeof(http::Http1Connection) + of_malloc;
    EXPECT_LE(whole, 256u);
}

}  // namespace
}  // namespace weir::engines
