// What a request costs in system calls, where nothing fails: the price is part of each engine's
// promise, and what has crept in is found here.

#include "faults/faults.h"

namespace weir::tests {
namespace {

struct Calls : Faults {
    int sends() const { return injector.calls(Call::send) + injector.calls(Call::sendmsg); }
};
WEIR_OVER_EVERY_ENGINE(Calls);

TEST_P(Calls, OneToReceiveAndOneToSendPerRequest) {
    constexpr int count = 100;
    auto peer = client();
    peer.ask(get("/hello"));
    injector.clear();
    for (int i = 0; i < count; ++i) ASSERT_EQ(peer.ask(get("/hello")).status, 200);
    EXPECT_EQ(sends(), count);
    EXPECT_LE(injector.calls(Call::recv), count);
    EXPECT_EQ(injector.calls(Call::epoll_ctl), 0);
    EXPECT_LE(injector.calls(Call::poll) + injector.calls(Call::epoll_wait), count + 1);
}

TEST_P(Calls, NoneToWatchAConnectionThatPassesAtOnce) {
    auto settled = client();
    settled.ask(get("/hello"));
    injector.clear();
    Client peer{unconnected_socket(AF_INET)};
    peer.connect(server().address());
    peer.send(get("/hello", "Connection: close\r\n"));
    EXPECT_EQ(peer.answer().content, "hello\n");
    EXPECT_EQ(peer.ending(), Ending::closed);
    EXPECT_EQ(sends(), 1);
    EXPECT_LE(injector.calls(Call::recv), 3);
    EXPECT_LE(injector.calls(Call::epoll_ctl), 1);
}

TEST_P(Calls, OneToSendWhatWasPipelined) {
    auto peer = client();
    peer.ask(get("/hello"));
    injector.clear();
    std::string requests;
    for (int i = 0; i < 16; ++i) requests += get("/hello");
    peer.send(requests);
    for (int i = 0; i < 16; ++i) ASSERT_EQ(peer.answer().status, 200);
    EXPECT_EQ(sends(), 1);
    EXPECT_LE(injector.calls(Call::recv), 1);
}

TEST_P(Calls, NoneWhileNothingHappens) {
    std::vector<Client> idle;
    const std::size_t count = one_at_a_time() ? 1 : 20;
    for (std::size_t i = 0; i < count; ++i) {
        idle.push_back(client());
        idle.back().ask(get("/hello"));
    }
    // The engine goes back to its wait, and stays there for as long as is watched.
    constexpr milliseconds observed{100};
    idle.front().readable_within(observed);
    injector.clear();
    EXPECT_FALSE(idle.front().readable_within(observed));
    EXPECT_EQ(injector.calls(Call::poll) + injector.calls(Call::epoll_wait), 0);
    EXPECT_EQ(injector.calls(Call::recv), 0);
}

}  // namespace
}  // namespace weir::tests
