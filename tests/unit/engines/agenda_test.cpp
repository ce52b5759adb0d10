#include "engines/agenda.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

Now at(std::int64_t milliseconds) { return {Instant{Monotonic::duration{milliseconds}}}; }

class AgendaOfPeers : public ::testing::Test {
   protected:
    Peer& add() {
        Peer& peer = peers.add();
        peer.connection = std::make_unique<FakeConnection>();
        peer.mailbox = &agenda.mailbox();
        return peer;
    }
    static FakeConnection& connection_of(Peer& peer) {
        return static_cast<FakeConnection&>(*peer.connection);
    }
    std::vector<Peer*> driven_at(std::int64_t milliseconds) {
        std::vector<Peer*> driven;
        agenda.carry_out(at(milliseconds), [&](Peer& peer) { driven.push_back(&peer); });
        return driven;
    }

    PeerTable peers;
    Agenda agenda{peers};
};

using Peers = std::vector<Peer*>;

TEST_F(AgendaOfPeers, IsEmptyAtFirst) {
    EXPECT_EQ(agenda.next(), never);
    EXPECT_EQ(driven_at(1'000), Peers{});
}

TEST_F(AgendaOfPeers, GivesThePostponedOneTurn) {
    Peer& peer = add();
    agenda.postpone(peer);
    agenda.postpone(peer);
    EXPECT_EQ(agenda.next(), Instant::min());
    EXPECT_EQ(driven_at(0), Peers{&peer});
    EXPECT_EQ(driven_at(0), Peers{});
}

TEST_F(AgendaOfPeers, ThePostponedMayPostponeAgain) {
    Peer& peer = add();
    agenda.postpone(peer);
    int turns = 0;
    agenda.carry_out(at(0), [&](Peer& each) {
        ++turns;
        agenda.postpone(each);
    });
    EXPECT_EQ(turns, 1);
    EXPECT_EQ(driven_at(0), Peers{&peer});
}

TEST_F(AgendaOfPeers, ForgetsThePostponedThatClosed) {
    Peer& peer = add();
    agenda.postpone(peer);
    peers.remove(peer);
    add();  // in the same slot
    EXPECT_EQ(driven_at(0), Peers{});
}

TEST_F(AgendaOfPeers, ExpiresWhenTheDeadlineComes) {
    Peer& peer = add();
    connection_of(peer).deadline(at(50).instant);
    agenda.watch_deadline(peer);
    EXPECT_EQ(agenda.next(), at(50).instant);
    EXPECT_EQ(driven_at(49), Peers{});
    EXPECT_EQ(driven_at(50), Peers{&peer});
    EXPECT_EQ(connection_of(peer).log, "<expire>");
}

TEST_F(AgendaOfPeers, PassesOverTheDeadlinesOfThoseWhoHaveGone) {
    Peer& peer = add();
    connection_of(peer).deadline(at(50).instant);
    agenda.watch_deadline(peer);
    peers.remove(peer);
    EXPECT_EQ(driven_at(50), Peers{});
}

TEST_F(AgendaOfPeers, DeliversMailToThoseWhoAreThere) {
    Peer& gone = add();
    Peer& peer = add();
    agenda.mailbox()->wake(gone.ticket());
    agenda.mailbox()->answer(peer.ticket(), http::Response{});
    peers.remove(gone);
    EXPECT_EQ(driven_at(0), Peers{});  // nobody has said that there is mail
    agenda.note_mail();
    EXPECT_EQ(driven_at(0), Peers{&peer});
    EXPECT_EQ(connection_of(peer).log, "<respond>");
}

TEST_F(AgendaOfPeers, KeepsTheLettersOfThoseWhoAreAway) {
    Peer& peer = add();
    agenda.send_away(peer);
    agenda.mailbox()->answer(peer.ticket(), http::Response{});
    agenda.note_mail();
    EXPECT_EQ(driven_at(0), Peers{});
    agenda.mailbox()->wake(peer.ticket());
    agenda.note_mail();
    EXPECT_EQ(driven_at(0), Peers{});
    EXPECT_EQ(connection_of(peer).log, "");
    agenda.welcome_back(peer);
    EXPECT_EQ(driven_at(0), (Peers{&peer, &peer}));
    EXPECT_EQ(connection_of(peer).log, "<respond><wake>");
    EXPECT_EQ(driven_at(0), Peers{});
}

TEST_F(AgendaOfPeers, LetsThoseWhoAreAwayBackInTheMiddleOfTheMail) {
    Peer& first = add();
    Peer& second = add();
    for (Peer* const peer : {&first, &second}) agenda.mailbox()->wake(peer->ticket());
    agenda.note_mail();
    std::vector<Peer*> driven;
    agenda.carry_out(at(0), [&](Peer& peer) {
        driven.push_back(&peer);
        agenda.send_away(second);
    });
    EXPECT_EQ(driven, Peers{&first});
    agenda.welcome_back(second);
    EXPECT_EQ(driven_at(0), Peers{&second});
}

TEST_F(AgendaOfPeers, ExpiresNobodyWhoIsAway) {
    Peer& peer = add();
    connection_of(peer).deadline(at(50).instant);
    agenda.watch_deadline(peer);
    agenda.send_away(peer);
    EXPECT_EQ(driven_at(50), Peers{});
    EXPECT_EQ(connection_of(peer).log, "");
    agenda.welcome_back(peer);
    agenda.watch_deadline(peer);
    EXPECT_EQ(driven_at(50), Peers{&peer});
}

}  // namespace
}  // namespace weir::engines
