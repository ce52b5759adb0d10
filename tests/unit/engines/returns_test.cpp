#include "engines/returns.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <thread>

#include "engines/peer.h"

namespace weir::engines {
namespace {

struct Returned {
    Peer* peer;
    bool goes_on;
};

bool is_readable(const Returns<Returned>& returns) {
    pollfd watched{returns.fd(), POLLIN, 0};
    return ::poll(&watched, 1, 0) == 1;
}

TEST(Returns, AreReadableUntilCollected) {
    Returns<Returned> returns;
    EXPECT_FALSE(is_readable(returns));
    EXPECT_TRUE(returns.collect().empty());
    std::array<Peer, 2> peers;
    returns.put({&peers[0], true});
    returns.put({&peers[1], false});
    EXPECT_TRUE(is_readable(returns));
    const auto returned = returns.collect();
    ASSERT_EQ(returned.size(), 2u);
    EXPECT_EQ(returned[0].peer, &peers[0]);
    EXPECT_TRUE(returned[0].goes_on);
    EXPECT_EQ(returned[1].peer, &peers[1]);
    EXPECT_FALSE(returned[1].goes_on);
    EXPECT_FALSE(is_readable(returns));
}

TEST(Returns, WakeFromAnotherThread) {
    Returns<Returned> returns;
    Peer peer;
    std::thread thread{[&] {
        peer.readable = true;
        returns.put({&peer, false});
    }};
    pollfd watched{returns.fd(), POLLIN, 0};
    EXPECT_EQ(::poll(&watched, 1, -1), 1);
    ASSERT_EQ(returns.collect().size(), 1u);
    EXPECT_TRUE(peer.readable);  // what the thread did to it is seen
    thread.join();
}

}  // namespace
}  // namespace weir::engines
