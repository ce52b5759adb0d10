// Engines that queue work for a fixed number of workers.

#include <poll.h>

#include "base/troubles.h"
#include "contract/contract.h"
#include "net/system/cores.h"

namespace weir::tests {
namespace {

struct Pool : Contract {
    void SetUp() override {
        if (!engine().has_queue) GTEST_SKIP() << engine().name << " has no queue";
        options.engine.workers = 2;
        options.engine.queue_max = 1;
    }
};
WEIR_OVER_EVERY_ENGINE(Pool);

TEST_P(Pool, MoreThanWorkersAndQueueHoldAreServedInTheEnd) {
    std::vector<Client> peers;
    for (int i = 0; i < 50; ++i) {
        peers.push_back(client());
        peers.back().send(get("/hello", "Connection: close\r\n"));
    }
    for (auto& peer : peers) ASSERT_EQ(peer.answer().content, "hello\n");
}

TEST_P(Pool, WithoutANumberOfWorkersManyMayBlockAtOnce) {
    options.engine.workers = 0;
    std::vector<Client> peers;
    for (unsigned worker = 0; worker < options.engine.blocking_worker_count(); ++worker) {
        const std::string note = std::to_string(worker);
        peers.push_back(client());
        peers.back().send(get("/held?note=" + note));
        handler.journal.await(note + " handled");  // while all before it are held
    }
    EXPECT_GT(peers.size(), net::count_cores());
    handler.gate.open();
    for (auto& peer : peers) EXPECT_EQ(peer.answer().content, "held\n");
}

TEST_P(Pool, IdleConnectionsGiveWay) {
    std::vector<Client> idle;
    for (int i = 0; i < 10; ++i) {
        idle.push_back(client());
        EXPECT_EQ(idle.back().ask(get("/hello")).content, "hello\n");
    }
}

TEST_P(Pool, StopReachesThoseThatAreQueued) {
    options.engine.stop_timeout = for_ever;
    std::vector<Client> peers;
    for (int i = 0; i < 10; ++i) {
        peers.push_back(client());
        peers.back().send(get("/later?note=" + std::to_string(i)));
    }
    for (Client& peer : peers) peer.await_arrival();
    handler.journal.await("0 handled");
    server().drain();
    server().stop_now();
    expect_end();
}

TEST_P(Pool, WorkIsTurnedAwayWhileAllOfItWaitsTooLong) {
    options.engine.workers = 1;
    options.engine.queue_max = 128;
    options.engine.queue_delay_max = milliseconds{20};
    // The queue does not stand while what sends the requests is kept from running.
    std::size_t served = 0, turned_away = 0;
    const auto before = troubles().count(Trouble::queue_delay);
    while (turned_away == 0) {
        std::vector<Client> peers;
        for (int i = 0; i < 20; ++i) {
            peers.push_back(client());
            peers.back().send(get("/slow?ms=20", "Connection: close\r\n"));
        }
        for (auto& peer : peers) {
            const auto answer = peer.answer();
            if (answer.status == 200) {
                ++served;
            } else {
                ASSERT_EQ(answer.status, 503);
                EXPECT_EQ(answer.field("retry-after"), "1");
                ++turned_away;
            }
        }
    }
    EXPECT_GT(served, 0);
    EXPECT_EQ(troubles().count(Trouble::queue_delay) - before, turned_away);
    while (client().ask(get("/hello", "Connection: close\r\n")).status != 200) continue;
}

/// The engines whose queue is one of requests: what reads from the peers is not what waits for a
/// worker. Here one worker is held by its handler, and one request fills the queue.
struct RequestQueue : Pool {
    void SetUp() override {
        Pool::SetUp();
        if (IsSkipped()) return;
        if (const auto reason = nature_of(engine()).worker_serves_one_at_a_time; !reason.empty())
            GTEST_SKIP() << engine().name << ": " << reason;
        options.engine.workers = 1;
    }
    /// A connection that the loop has: it need not be accepted first, which may be before or after
    /// the loop reads from others.
    Client known_client() {
        Client known = client();
        EXPECT_EQ(known.ask(get("/hello")).content, "hello\n");
        return known;
    }
    /// Its two peers.
    std::vector<Client> fill() {
        std::vector<Client> peers;
        for (int i = 0; i < 2; ++i) peers.push_back(client());
        fill(peers);
        return peers;
    }
    void fill(std::vector<Client>& peers) {
        peers[0].send(get("/held?note=first"));
        handler.journal.await("first handled");
        peers[1].send(get("/held?note=second"));
    }
    /// The queue is full once it returns.
    std::vector<Client> fill_and_look() {
        for (int i = 0; i < 6; ++i) looking.push_back(known_client());
        std::vector<Client> peers;
        for (int i = 0; i < 2; ++i) peers.push_back(known_client());
        fill(peers);
        expect_loop_has_looked();
        return peers;
    }
    /// At whatever was sent before: this needs no handler. poll(2) may find what came last and miss
    /// what came just before it, but not twice.
    void expect_loop_has_looked() {
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(looking.back().ask("nonsense\r\n\r\n").status, 400);
            looking.pop_back();
        }
    }

    std::vector<Client> looking;
};
WEIR_OVER_EVERY_ENGINE(RequestQueue);

TEST_P(RequestQueue, WhatFindsNoRoomIsAnsweredOnceThereIs) {
    auto peers = fill();
    std::vector<Client> in_line;
    for (int i = 0; i < 20; ++i) {
        in_line.push_back(client());
        in_line.back().send(get("/text?is=" + std::to_string(i)));
    }
    handler.gate.open();
    for (auto& peer : peers) EXPECT_EQ(peer.answer().content, "held\n");
    for (int i = 0; i < 20; ++i) ASSERT_EQ(in_line[i].answer().content, std::to_string(i));
}

TEST_P(RequestQueue, WhatFindsNoRoomInTimeIsAnswered503AndNeverHandled) {
    options.timeouts.handler = handler_time();
    auto peers = fill();
    auto in_line = client();
    EXPECT_EQ(in_line.ask(get("/hello?note=third")).status, 503);
    EXPECT_EQ(in_line.ending(), Ending::closed);
    for (auto& peer : peers) EXPECT_EQ(peer.answer().status, 503);
    handler.gate.open();
    expect_served();
    EXPECT_EQ(handler.journal.count("third handled"), 0);
}

TEST_P(RequestQueue, WhoLeavesTheLineIsNotHandled) {
    auto in_line = known_client();
    auto peers = fill_and_look();
    in_line.send(get("/hello?note=third"));
    expect_loop_has_looked();
    in_line.reset();
    expect_loop_has_looked();
    handler.gate.open();
    expect_served();
    EXPECT_EQ(handler.journal.count("third handled"), 0);
}

TEST_P(RequestQueue, WhatIsQueuedWhenAllIsCutIsNotHandled) {
    auto peers = fill_and_look();
    server().stop_now();
    for (auto& peer : peers) peer.ending();
    handler.gate.open();
    expect_end();
    EXPECT_EQ(handler.journal.count("second handled"), 0);
}

/// Back-pressure: what it sends on stays in the kernel, until the peer can't send any more.
TEST_P(RequestQueue, WhoIsInLineIsNotReadFrom) {
    constexpr std::size_t more_than_sockets_hold = 100'000'000;
    auto in_line = known_client();
    auto peers = fill_and_look();
    in_line.send(get("/text?is=a") + post_head("/sink?note=b", more_than_sockets_hold));
    const std::string content = pattern(0, 1'000'000);
    std::size_t sent = 0;
    for (pollfd room{in_line.fd(), POLLOUT, 0}; ::poll(&room, 1, short_time.count()) > 0;) {
        sent += in_line.send_some(content);
        ASSERT_LT(sent, more_than_sockets_hold);
    }
    EXPECT_GT(sent, 0);
    handler.gate.open();
    EXPECT_EQ(in_line.answer().content, "a");
}

}  // namespace
}  // namespace weir::tests
