// Engines that queue work for a fixed number of workers.

#include "contract/contract.h"

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

TEST_P(Pool, IdleConnectionsGiveWay) {
    std::vector<Client> idle;
    for (int i = 0; i < 10; ++i) {
        idle.push_back(client());
        EXPECT_EQ(idle.back().ask(get("/hello")).content, "hello\n");
    }
}

TEST_P(Pool, StopReachesThoseThatAreQueued) {
    options.engine.stop_timeout = milliseconds{3'600'000};
    std::vector<Client> peers;
    for (int i = 0; i < 10; ++i) {
        peers.push_back(client());
        peers.back().send(get("/later?note=" + std::to_string(i)));
    }
    handler.journal.await("0 handled");
    server().drain();
    server().stop_now();
    EXPECT_FALSE(server().wait());
}

}  // namespace
}  // namespace weir::tests
