#include "engines/peer/connection_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/troubles.h"
#include "unit/engines/before_a_queue.h"

namespace weir::engines {
namespace {

using Kind = net::Accepted::Kind;

net::PeerAddress peer(const char* host) {
    const auto address = net::Address::parse(host, 1).value();
    sockaddr_storage storage{};
    std::memcpy(&storage, address.data(), address.size());
    return net::PeerAddress{storage};
}

class GateBeforeAQueue : public BeforeAQueue {};

TEST_F(GateBeforeAQueue, LetsInAsManyAsMayBeIn) {
    ConnectionLimit limit{2};
    queue(3);
    const auto first = limit.accept(listener);
    const auto second = limit.accept(listener);
    EXPECT_EQ(first.kind, Kind::connection);
    EXPECT_EQ(second.kind, Kind::connection);
    EXPECT_EQ(limit.accept(listener).kind, Kind::exhausted);
    limit.release({});
    EXPECT_EQ(limit.accept(listener).kind, Kind::connection);
    EXPECT_EQ(limit.accept(listener).kind, Kind::exhausted);
}

TEST_F(GateBeforeAQueue, AnEmptyQueueTakesNoPlace) {
    ConnectionLimit limit{1};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.accept(listener).kind, Kind::none);
    queue(1);
    EXPECT_EQ(limit.accept(listener).kind, Kind::connection);
}

TEST_F(GateBeforeAQueue, ClosesAListenerThatIsOfNoUse) {
    ConnectionLimit limit{1};
    ::shutdown(listener.fd(), SHUT_RD);  // it listens no more: EINVAL
    EXPECT_EQ(limit.accept(listener).kind, Kind::failed);
    EXPECT_EQ(listener.fd(), -1);
}

TEST_F(GateBeforeAQueue, ClosesThoseThatAreTooManyOfTheirAddress) {
    ConnectionLimit limit{3, 2};
    queue(4);
    const auto noted_before = troubles().count(Trouble::per_address);
    const auto first = limit.accept(listener);
    const auto second = limit.accept(listener);
    EXPECT_EQ(limit.accept(listener).kind, Kind::gone);
    EXPECT_EQ(troubles().count(Trouble::per_address), noted_before + 1);
    limit.release(second.peer);
    EXPECT_EQ(limit.accept(listener).kind, Kind::connection);
    EXPECT_TRUE(limit.acquire()) << "one that was closed takes no place";
    EXPECT_FALSE(limit.acquire());
}

TEST(ConnectionLimit, CountsEachAddressForItself) {
    ConnectionLimit limit{100, 1};
    const auto is_let_in = [&limit](const net::PeerAddress& address) {
        return limit.acquire() && limit.admit(address);
    };
    for (const char* first_of_network :
         {"192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1", "::1"})
        EXPECT_TRUE(is_let_in(peer(first_of_network))) << first_of_network;
    for (const char* another :
         {"192.0.2.1", "::ffff:192.0.2.2", "2001:db8::2", "2001:db8:0:1:ff::"})
        EXPECT_FALSE(is_let_in(peer(another))) << another;
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(is_let_in({})) << "a peer on a unix socket";
    limit.release(peer("2001:db8::3"));
    EXPECT_TRUE(is_let_in(peer("2001:db8::4")));
    limit.release({});
}

TEST(ConnectionLimit, LeavesDescriptorsForFiles) {
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    const ConnectionLimit limit{0};
    rlimit raised{};
    ::getrlimit(RLIMIT_NOFILE, &raised);
    EXPECT_EQ(raised.rlim_cur, before.rlim_max);
    EXPECT_GE(limit.connections_max(), 8u);
    EXPECT_LE(limit.connections_max(), std::max<rlim_t>(raised.rlim_cur - 32, 8));
    ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST(ConnectionLimit, KeepsToTheNumberThatItIsGiven) {
    EXPECT_EQ(ConnectionLimit{5}.connections_max(), 5u);
}

}  // namespace
}  // namespace weir::engines
