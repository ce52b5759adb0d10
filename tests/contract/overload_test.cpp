// More connections than there may be, and more than there are descriptors for.

#include <sys/socket.h>

#include <algorithm>

#include "contract/contract.h"
#include "support/process.h"

namespace weir::tests {
namespace {

struct Overload : Contract {};
WEIR_OVER_EVERY_ENGINE(Overload);

constexpr milliseconds for_a_moment{50};

TEST_P(Overload, ConnectionsPastTheMaximumWaitAndAreServed) {
    options.engine.workers = 1;
    options.engine.connections_max = one_at_a_time() ? 1 : 2;
    std::vector<Client> held;
    for (unsigned i = 0; i < options.engine.connections_max; ++i) {
        held.push_back(client());
        held.back().send(post_head("/echo", 5));  // idle, it would be evicted
    }
    auto waiting = client();
    waiting.send(get("/hello"));
    if (waiting.readable_within(for_a_moment)) {
        // While the machine stood still, the one that is served ran out of its time slice.
        EXPECT_TRUE(one_at_a_time());
        held.back().ending();
    }
    held.pop_back();
    EXPECT_EQ(waiting.answer().content, "hello\n");
}

TEST_P(Overload, ConnectionsPastTheMaximumOfTheirAddressAreClosed) {
    if (one_at_a_time()) GTEST_SKIP() << engine().name << ": " << why_one_at_a_time();
    options.engine.connections_per_address_max = 2;
    if (engine().forks == engines::Process::worker) options.engine.workers = 1;  // each counts
    std::vector<Client> held;
    for (int i = 0; i < 2; ++i) {
        held.push_back(client());
        EXPECT_EQ(held.back().ask(get("/hello")).status, 200);
    }
    client().ending();  // or this waits in vain
    net::UniqueFd elsewhere = unconnected_socket(AF_INET);
    const auto from = net::Address::parse("127.0.0.2", 0).value();
    ASSERT_EQ(::bind(elsewhere.get(), from.data(), from.size()), 0);
    Client another{std::move(elsewhere)};
    another.connect(server().address());
    EXPECT_EQ(another.ask(get("/hello")).status, 200);
    EXPECT_EQ(held.front().ask(get("/hello")).status, 200);
    held.pop_back();
    for (std::string answer; answer.empty();) {  // until the server knows that it has gone
        auto next = client();
        next.offer(get("/hello", "Connection: close\r\n"));
        next.ending(&answer);
    }
}

TEST_P(Overload, ManyTimesTheMaximumAreServedInTheEnd) {
    options.engine.connections_max = 4;
    std::vector<Client> peers;
    for (int i = 0; i < 100; ++i) {
        peers.push_back(client());
        peers.back().send(get("/hello", "Connection: close\r\n"));
    }
    for (auto& peer : peers) ASSERT_EQ(peer.answer().content, "hello\n");
}

TEST_P(Overload, OutOfDescriptorsItWaitsWithoutSpinningAndRecovers) {
    if (const auto reason = nature_of(engine()).never_sleeps; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    constexpr int count = 40;
    constexpr int enough_to_start = 25;
    // The clients' own descriptors are taken first: only the server finds none.
    std::vector<Client> peers;
    for (int i = 0; i < count; ++i) peers.emplace_back(unconnected_socket(AF_INET));
    {
        // Before it starts, and not raised by it: an accept that io_uring(7) was asked for keeps to
        // the limit of that time.
        const FewDescriptors few{enough_to_start};
        options.engine.connections_max = 10 * count;
        start();
        expect_served();
        for (auto& peer : peers) {
            peer.connect(server().address());
            peer.send(post_head("/echo", 5));  // idle, those that are accepted would be evicted
        }
        constexpr milliseconds observed{300};
        peers.back().readable_within(observed);
        const auto before = cpu_time();
        // Nothing comes: this only lets the time pass in which a server that spins would burn it.
        EXPECT_FALSE(peers.back().readable_within(observed));
        EXPECT_LT(cpu_time() - before, observed / 3);
    }
    // Each closes after its answer, so that where descriptors or turns are few, the next comes up.
    for (auto& peer : peers) peer.send("whole");
    for (auto& peer : peers) {
        const auto answer = peer.answer();
        // A thread that serves one peer at a time has given up the one that kept the others waiting.
        const bool gave_way = one_at_a_time() && answer.status == 503;
        EXPECT_TRUE(gave_way || answer.content == "whole") << answer.content;
        peer.close();
    }
    expect_served();
}

/// poll(2) refuses a list that is longer than the limit.
TEST_P(Overload, LimitThatIsLoweredBelowWhatIsOpenChangesNothing) {
    if (const auto reason = nature_of(engine()).never_sleeps; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    options.engine.workers = 1;
    const int count = one_at_a_time() ? 1 : 40;
    std::vector<Client> peers;
    for (int i = 0; i < count; ++i) {
        peers.push_back(client());
        ASSERT_EQ(peers.back().ask(get("/hello")).content, "hello\n");
    }
    let_parent_catch_up();
    constexpr rlim_t few = 16;
    const LowDescriptorLimit low{few};
    ASSERT_EQ(peers.front().ask(get("/hello")).content, "hello\n");  // it waits anew from here on
    constexpr milliseconds observed{300};
    const auto before = cpu_time();
    EXPECT_FALSE(peers.front().readable_within(observed));
    EXPECT_LT(cpu_time() - before, observed / 3);
    for (auto& peer : peers) ASSERT_EQ(peer.ask(get("/hello")).content, "hello\n");
}

TEST_P(Overload, OutOfDescriptorsThoseThatAreServedGoOn) {
    auto peer = client();
    peer.ask(get("/hello"));
    Client waiting{unconnected_socket(AF_INET)};
    let_parent_catch_up();
    const FewDescriptors few{0};
    waiting.connect(server().address());
    waiting.send(get("/hello"));
    for (int i = 0; i < 10; ++i) ASSERT_EQ(peer.ask(get("/hello")).content, "hello\n");
    // Its descriptor is the one that the other waits for, whatever the limit says.
    peer.send(get("/hello", "Connection: close\r\n"));
    EXPECT_EQ(peer.answer().content, "hello\n");
    EXPECT_EQ(waiting.answer().content, "hello\n");
}

/// Peers that are slow in one way, and a client that is not. No timer of the protocol helps it.
struct SlowPeers : Contract {
    SlowPeers() {
        constexpr milliseconds hour{3'600'000};
        options.engine.workers = 2;
        options.timeouts = {.head = hour, .body = hour, .transmit = hour, .keep_alive = hour};
        options.timeouts.content_rate_min = 0;
    }
    void expect_served_beside(std::string_view bytes, Client::Options of_client = {}) {
        std::vector<Client> slow;
        for (int i = 0; i < 3; ++i) {
            slow.push_back(client(of_client));
            slow.back().send(bytes);
        }
        expect_served();
    }
};
WEIR_OVER_EVERY_ENGINE(SlowPeers);

TEST_P(SlowPeers, ThatSendNothing) { expect_served_beside(""); }

TEST_P(SlowPeers, WhoseHeadIsNeverWhole) { expect_served_beside("GET /hello HTTP/1.1\r\nHo"); }

TEST_P(SlowPeers, WhoseContentIsNeverWhole) {
    expect_served_beside(post_head("/sink", 1'000'000) + "some of it");
}

TEST_P(SlowPeers, ThatReadNothing) {
    if (const auto reason = nature_of(engine()).sends_one_at_a_time; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    expect_served_beside(get("/big?bytes=100000000"), {.receive_buffer_bytes = 4'096});
}

TEST_P(SlowPeers, ThatAreSilentAfterARequest) { expect_served_beside(get("/hello")); }

}  // namespace
}  // namespace weir::tests
