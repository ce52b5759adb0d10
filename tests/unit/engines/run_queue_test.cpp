#include "engines/loop/run_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/readable.h"
#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

Now at(std::int64_t milliseconds) { return {Instant{std::chrono::milliseconds{milliseconds}}}; }

class RunQueueOfPeers : public ::testing::Test {
   protected:
    Peer& add() {
        Peer& peer = peers.add();
        run_queue.reserve();
        peer.connection = std::make_unique<FakeConnection>();
        peer.completions = &run_queue.completions();
        return peer;
    }
    static FakeConnection& connection_of(Peer& peer) {
        return static_cast<FakeConnection&>(*peer.connection);
    }
    template <typename Drive>
    void run(Now now, Drive drive) {
        run_queue.run(now, drive, [this](std::unique_ptr<http::Outbound>) { ++adopted; });
        const auto expire = [now](Peer& peer) {
            if (now.instant >= peer.connection->deadline()) peer.connection->expire(now, 0);
        };
        run_queue.run_due(now.instant, expire, drive);
    }
    std::vector<Peer*> driven_at(std::int64_t milliseconds) {
        std::vector<Peer*> driven;
        run(at(milliseconds), [&](Peer& peer) { driven.push_back(&peer); });
        return driven;
    }

    PeerTable peers;
    RunQueue run_queue{peers};
    int adopted = 0;
};

/// Is never connected.
struct FakeOutbound final : http::Outbound {
    int release_socket() noexcept override { return -1; }
    std::unique_ptr<http::Connection> connect(http::Origin&, Now) override { return nullptr; }
};

using Peers = std::vector<Peer*>;

TEST_F(RunQueueOfPeers, IsEmptyAtFirst) {
    EXPECT_EQ(run_queue.next(), never);
    EXPECT_EQ(driven_at(1'000), Peers{});
}

TEST_F(RunQueueOfPeers, GivesThePostponedOneTurn) {
    Peer& peer = add();
    run_queue.postpone(peer);
    run_queue.postpone(peer);
    EXPECT_EQ(run_queue.next(), Instant::min());
    EXPECT_EQ(driven_at(0), Peers{&peer});
    EXPECT_EQ(driven_at(0), Peers{});
}

/// It writes nothing to a peer that another thread has: the flags of a peer share their byte.
TEST_F(RunQueueOfPeers, APostponedOneThatIsLentIsLeftAlone) {
    Peer& peer = add();
    run_queue.postpone(peer);
    run_queue.detach(peer);
    EXPECT_FALSE(peer.unfinished);
    peer.unfinished = true;  // as if the other thread had
    EXPECT_EQ(driven_at(0), Peers{});
    EXPECT_TRUE(peer.unfinished);
    peer.unfinished = false;
    run_queue.reattach(peer);
    run_queue.postpone(peer);
    EXPECT_EQ(driven_at(0), Peers{&peer});
}

TEST_F(RunQueueOfPeers, WakeUpsOfItsOwnThreadNeedNoDescriptor) {
    Peer& peer = add();
    run_queue.enter();
    run_queue.completions()->wake({.connection = peer.number(), .request = 1});
    EXPECT_FALSE(tests::is_readable(run_queue.completions()->fd()));
    EXPECT_EQ(run_queue.next(), Instant::min());
    EXPECT_EQ(driven_at(0), Peers{&peer});
    EXPECT_NE(run_queue.next(), Instant::min());
    EXPECT_EQ(driven_at(0), Peers{});
}

TEST_F(RunQueueOfPeers, WakeUpsOfOtherThreadsWakeTheLoop) {
    Peer& peer = add();
    run_queue.enter();
    run_queue.completions()->wake({.connection = peer.number(), .request = 1});
    std::thread{[this, &peer] {
        run_queue.completions()->wake({.connection = peer.number(), .request = 2});
    }}.join();
    EXPECT_TRUE(tests::is_readable(run_queue.completions()->fd()));
    run_queue.note_completions();
    EXPECT_EQ(driven_at(0), Peers{&peer});
    EXPECT_FALSE(tests::is_readable(run_queue.completions()->fd()));
}

/// A queue that has gone is no longer that of the thread, even if the next one has its address.
TEST(CompletionQueues, AThreadLeavesAQueueThatIsClosed) {
    std::optional<CompletionQueue> queue;
    queue.emplace().enter();
    queue->close();
    queue.emplace();
    queue->wake({.connection = 1, .request = 1});
    EXPECT_TRUE(tests::is_readable(queue->fd()));
    EXPECT_FALSE(queue->has_own());
}

/// They have no ticket: the first peer's number is 0, too.
TEST_F(RunQueueOfPeers, ConnectionsToBeOpenedAreNoCompletionsOfAPeer) {
    Peer& peer = add();
    run_queue.completions()->adopt(std::make_unique<FakeOutbound>());
    run_queue.completions()->wake({.connection = peer.number(), .request = 1});
    run_queue.completions()->adopt(std::make_unique<FakeOutbound>());
    run_queue.note_completions();
    EXPECT_EQ(driven_at(0), Peers{&peer});
    EXPECT_EQ(adopted, 2);
}

TEST_F(RunQueueOfPeers, ThePostponedMayPostponeAgain) {
    Peer& peer = add();
    run_queue.postpone(peer);
    int turns = 0;
    run(at(0), [&](Peer& each) {
        ++turns;
        run_queue.postpone(each);
    });
    EXPECT_EQ(turns, 1);
    EXPECT_EQ(driven_at(0), Peers{&peer});
}

TEST_F(RunQueueOfPeers, ForgetsThePostponedThatClosed) {
    Peer& peer = add();
    run_queue.postpone(peer);
    peers.remove(peer);
    add();  // in the same slot
    EXPECT_EQ(driven_at(0), Peers{});
}

TEST_F(RunQueueOfPeers, ExpiresWhenTheDeadlineComes) {
    Peer& peer = add();
    connection_of(peer).deadline(at(50).instant);
    run_queue.watch_deadline(peer);
    EXPECT_EQ(run_queue.next(), at(50).instant);
    EXPECT_FALSE(run_queue.has_due(at(49).instant));
    EXPECT_TRUE(run_queue.has_due(at(50).instant));
    EXPECT_EQ(driven_at(49), Peers{});
    EXPECT_EQ(driven_at(50), Peers{&peer});
    EXPECT_EQ(connection_of(peer).log, "<expire>");
}

TEST_F(RunQueueOfPeers, IgnoresTheDeadlinesOfPeersThatHaveGone) {
    Peer& peer = add();
    connection_of(peer).deadline(at(50).instant);
    run_queue.watch_deadline(peer);
    peers.remove(peer);
    EXPECT_EQ(driven_at(50), Peers{});
}

TEST_F(RunQueueOfPeers, DeliversCompletionsToPeersThatAreThere) {
    Peer& gone = add();
    Peer& peer = add();
    run_queue.completions()->wake({gone.number(), 0});
    run_queue.completions()->answer({peer.number(), 0}, http::Response{});
    peers.remove(gone);
    EXPECT_EQ(driven_at(0), Peers{});  // the loop has not been told of them
    run_queue.note_completions();
    EXPECT_EQ(driven_at(0), Peers{&peer});
    EXPECT_EQ(connection_of(peer).log, "<respond>");
}

TEST_F(RunQueueOfPeers, KeepsTheCompletionsOfLentPeers) {
    Peer& peer = add();
    run_queue.detach(peer);
    run_queue.completions()->answer({peer.number(), 0}, http::Response{});
    run_queue.note_completions();
    EXPECT_EQ(driven_at(0), Peers{});
    run_queue.completions()->wake({peer.number(), 0});
    run_queue.note_completions();
    EXPECT_EQ(driven_at(0), Peers{});
    EXPECT_EQ(connection_of(peer).log, "");
    run_queue.reattach(peer);
    EXPECT_EQ(driven_at(0), Peers{&peer});
    EXPECT_EQ(connection_of(peer).log, "<respond><wake>");
    EXPECT_EQ(driven_at(0), Peers{});
}

TEST_F(RunQueueOfPeers, DrivesAPeerOnceForCompletionsThatFollowEachOther) {
    Peer& first = add();
    Peer& second = add();
    for (Peer* const peer : {&first, &first, &second, &first})
        run_queue.completions()->wake({peer->number(), 0});
    run_queue.note_completions();
    EXPECT_EQ(driven_at(0), (Peers{&first, &second, &first}));
    EXPECT_EQ(connection_of(first).log, "<wake><wake><wake>");
}

TEST_F(RunQueueOfPeers, CompletionsOfAPostponedPeerComeBeforeItsTurn) {
    Peer& peer = add();
    run_queue.detach(peer);
    run_queue.completions()->wake({peer.number(), 0});
    run_queue.note_completions();
    EXPECT_EQ(driven_at(0), Peers{});
    run_queue.reattach(peer);
    run_queue.postpone(peer);
    std::vector<Peer*> driven;
    run(at(0), [&](Peer& each) {
        driven.push_back(&each);
        run_queue.detach(each);
    });
    EXPECT_EQ(driven, Peers{&peer});
    EXPECT_EQ(connection_of(peer).log, "<wake>");
}

TEST_F(RunQueueOfPeers, TakesLentPeersBackAmongCompletions) {
    Peer& first = add();
    Peer& second = add();
    for (Peer* const peer : {&first, &second}) run_queue.completions()->wake({peer->number(), 0});
    run_queue.note_completions();
    std::vector<Peer*> driven;
    run(at(0), [&](Peer& peer) {
        driven.push_back(&peer);
        run_queue.detach(second);
    });
    EXPECT_EQ(driven, Peers{&first});
    run_queue.reattach(second);
    EXPECT_EQ(driven_at(0), Peers{&second});
}

TEST_F(RunQueueOfPeers, ExpiresNoLentPeer) {
    Peer& peer = add();
    connection_of(peer).deadline(at(50).instant);
    run_queue.watch_deadline(peer);
    run_queue.detach(peer);
    EXPECT_EQ(driven_at(50), Peers{});
    EXPECT_EQ(connection_of(peer).log, "");
    run_queue.reattach(peer);
    run_queue.watch_deadline(peer);
    EXPECT_EQ(driven_at(50), Peers{&peer});
}

}  // namespace
}  // namespace weir::engines
