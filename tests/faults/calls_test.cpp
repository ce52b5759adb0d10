// What a request costs in system calls, where nothing fails: the price is part of each engine's
// promise, and what has crept in is found here.

#include "faults/faults.h"

namespace weir::tests {
namespace {

struct Calls : Faults {
    int sends() const { return injector.calls(Call::send) + injector.calls(Call::sendmsg); }
    /// How often it may be looked for what was sent, where once is enough for others.
    int receives_max(int count) const {
        return nature_of(engine()).tries_before_each_wait.empty() ? count : 2 * count;
    }
    int waits() const {
        return injector.calls(Call::epoll_wait) + injector.calls(Call::poll) +
               injector.calls(Call::ring_enter) + injector.calls(Call::select);
    }
    /// A client whose connection the engine has got used to: before the second request, whatever is
    /// done once for a connection was done. Counting starts here.
    Client settled_client() {
        auto peer = client();
        for (int i = 0; i < 2; ++i) peer.ask(get("/hello"));
        // The thread that accepts may have work left when the one that serves has answered.
        EXPECT_TRUE(other_threads_sleep());
        uses_a_ring_ = uses_a_ring_ || Faults::uses_a_ring();
        injector.clear();
        return peer;
    }
    bool uses_a_ring() const { return uses_a_ring_; }
    /// Then one connection's long turn is another's wait.
    bool serves_many_on_a_thread() {
        if (engine().forks == engines::Process::connection) return false;
        auto first = settled_client();
        const int before = threads();
        auto second = settled_client();
        return threads() == before;
    }

    /// All threads go back to their waits, sooner or later, and stay there while they are watched.
    void expect_no_calls() {
        constexpr int attempts = 20;
        auto bystander = client();
        for (int i = 0; i < attempts; ++i)
            if (makes_no_calls(bystander)) return;
        FAIL() << "calls go on, though nothing happens";
    }

   private:
    bool makes_no_calls(Client& bystander) {
        constexpr milliseconds observed{100};
        injector.clear();
        EXPECT_FALSE(bystander.readable_within(observed));
        // A deadline that has moved may be looked at.
        return waits() <= 1 && sends() <= 1 && injector.calls(Call::recv) == 0;
    }

    bool uses_a_ring_ = false;
};
WEIR_OVER_EVERY_ENGINE(Calls);

TEST_P(Calls, OneToReceiveAndOneToSendPerRequest) {
    options.engine.workers = 1;  // others would be counted as they settle into their waits
    constexpr int count = 100;
    auto peer = settled_client();
    WEIR_NEEDS_CALLS();
    for (int i = 0; i < count; ++i) ASSERT_EQ(peer.ask(get("/hello")).status, 200);
    EXPECT_EQ(sends(), count);
    EXPECT_LE(injector.calls(Call::recv), receives_max(count));
    EXPECT_EQ(injector.calls(Call::epoll_ctl), 0);
    const bool one_wait = nature_of(engine()).waits_for_its_threads.empty();
    EXPECT_LE(waits(), (one_wait ? 1 : 2) * count + 2);
}

TEST_P(Calls, NoneToWatchAConnectionThatPassesAtOnce) {
    options.engine.workers = 1;  // as above
    auto settled = settled_client();
    WEIR_NEEDS_CALLS();
    if (one_at_a_time()) settled.close();
    Client peer{unconnected_socket(AF_INET)};
    peer.connect(server().address());
    peer.send(get("/hello", "Connection: close\r\n"));
    EXPECT_EQ(peer.answer().content, "hello\n");
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_EQ(sends(), 1);
    EXPECT_LE(injector.calls(Call::recv), receives_max(3));
    // Where the request comes later than its connection, that is watched, and meanwhile the listener
    // is not: off, and on again.
    EXPECT_LE(injector.calls(Call::epoll_ctl), 3);
}

TEST_P(Calls, OneToSendWhatWasPipelined) {
    if (const auto reason = nature_of(engine()).answers_one_by_one; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    auto peer = settled_client();
    WEIR_NEEDS_CALLS();
    std::string requests;
    for (int i = 0; i < 16; ++i) requests += get("/hello");
    peer.send(requests);
    for (int i = 0; i < 16; ++i) ASSERT_EQ(peer.answer().status, 200);
    EXPECT_EQ(sends(), 1);
    EXPECT_LE(injector.calls(Call::recv), receives_max(1));
}

TEST_P(Calls, ATurnIsBounded) {
    options.engine.workers = 1;
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    if (!serves_many_on_a_thread())
        GTEST_SKIP() << engine().name << " has a thread or process for each";
    WEIR_NEEDS_CALLS();
    constexpr int transfers_max = 64;
    handler.file.resize(1'000'000'000);
    for (const std::string target :
         {"/stream?note=a&bytes=100000000", "/file?note=b&bytes=1000000000"}) {
        auto greedy = client();
        injector.clear();
        injector.swallow();
        greedy.send(get(target));
        handler.journal.await(target[1] == 's' ? "a: sent" : "b: sent");
        EXPECT_GT(sends() + injector.calls(Call::sendfile), transfers_max);
        EXPECT_LE(injector.longest_turn(), transfers_max);
        injector.clear();
    }
}

TEST_P(Calls, NoneWhileNothingHappens) {
    // One engine needs a worker for each connection, and one more for the bystander.
    constexpr unsigned count = 4;
    options.engine.workers = count + 1;
    std::vector<Client> idle;
    for (unsigned i = 0; i < (one_at_a_time() ? 1 : count); ++i) idle.push_back(settled_client());
    expect_no_calls();
}

/// What a connection can't use now must not wake the engine again and again: a poller that tells of
/// states says it in every turn.
TEST_P(Calls, NoneForWhatArrivesWhileAHandlerTakesItsTime) {
    auto waiting = client();
    waiting.send(get("/never?note=a"));
    handler.journal.await("a handled");
    waiting.send(get("/hello"));
    waiting.half_close();
    expect_no_calls();
}

TEST_P(Calls, NoneForWhatArrivesWhileThePeerTakesNothing) {
    auto slow = client({.receive_buffer_bytes = 4096});
    slow.send(get("/big?bytes=50000000"));
    slow.answer_head();
    slow.send(get("/hello"));
    expect_no_calls();
}

}  // namespace
}  // namespace weir::tests
