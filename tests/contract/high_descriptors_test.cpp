// More descriptors than select's sets have bits for.

#include <fcntl.h>
#include <sys/select.h>

#include <vector>

#include "contract/contract.h"
#include "net/descriptors.h"
#include "net/unique_fd.h"

namespace weir::tests {
namespace {

struct HighDescriptors : Contract {
    void SetUp() override {
        Contract::SetUp();
        if (net::raise_descriptor_limit() < FD_SETSIZE + 100)
            GTEST_SKIP() << "this machine's limit on descriptors is too low";
    }
    /// Once the server has all of its own, and while none of them closes.
    Client served_client() {
        auto peer = client();
        EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
        return peer;
    }
    /// Whatever is opened from now on is past them.
    void take_all_low_descriptors() {
        do {
            taken_.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        } while (taken_.back() && taken_.back().get() < FD_SETSIZE);
    }
    void free_low_descriptors() { taken_.clear(); }

    bool watches_low_ones_only() const {
        return !nature_of(engine()).watches_low_descriptors_only.empty();
    }
    void expect_answer(Client& peer) {
        const auto answer = peer.answer();
        if (!watches_low_ones_only()) {
            EXPECT_EQ(answer.content, "hello\n");
            return;
        }
        EXPECT_EQ(answer.status, 503);
        EXPECT_EQ(answer.field("Retry-After"), "1");
        EXPECT_TRUE(answer.connection_says("close"));
        EXPECT_EQ(peer.ending(), Ending::closed);
    }

   private:
    std::vector<net::UniqueFd> taken_;
};
WEIR_OVER_EVERY_ENGINE(HighDescriptors);

TEST_P(HighDescriptors, AreServedOrTurnedAwayAndNobodyElseSuffers) {
    // Processes have a share each: one of them has both.
    if (engine().forks == engines::Process::worker) options.engine.workers = 1;
    options.engine.connections_max = 2;  // each comes in when the one before has left
    auto first = served_client();
    if (one_at_a_time()) {
        first.close();
    } else {  // it is never idle, so that it is not evicted, and its descriptor stays taken
        first.send(get("/gated"));
        first.answer_head();
        EXPECT_EQ(read_chunk(first), "first\n");
    }
    take_all_low_descriptors();
    for (int i = 0; i < 5; ++i) {
        auto peer = client();
        peer.send(get("/hello"));
        expect_answer(peer);
    }
    handler.gate.open();
    if (!one_at_a_time()) {
        EXPECT_EQ(read_chunk(first), "second\n");
    }
    free_low_descriptors();
    expect_served();
}

TEST_P(HighDescriptors, ThatSayNothingAreTurnedAwayAllTheSame) {
    if (!watches_low_ones_only()) GTEST_SKIP() << engine().name << " watches any descriptor";
    auto first = served_client();
    if (one_at_a_time()) first.close();
    take_all_low_descriptors();
    auto peer = client();
    expect_answer(peer);
}

TEST_P(HighDescriptors, KeepNobodyFromStopping) {
    auto first = served_client();
    if (one_at_a_time()) first.close();
    take_all_low_descriptors();
    auto peer = client();
    peer.send(get("/hello"));
    expect_answer(peer);
    server().drain();
    expect_end();
}

TEST_P(HighDescriptors, ItStartsWithThemOrSaysWhyNot) {
    take_all_low_descriptors();
    start();
    if (watches_low_ones_only()) {
        EXPECT_EQ(server().wait(), std::errc::too_many_files_open);
    } else {
        expect_served();
    }
}

}  // namespace
}  // namespace weir::tests
