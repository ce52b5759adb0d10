#include "engines/peer/connection_limit.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cstring>
#include <vector>

#include "base/troubles.h"
#include "net/descriptors.h"
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

/// The limits of the process and of the budget are as before when it ends.
class LimitOnDescriptors : public BeforeAQueue {
   protected:
    LimitOnDescriptors() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        // What other tests of this program have accepted and not released.
        while (net::descriptors().used() > 0) net::descriptors().give_back();
    }
    ~LimitOnDescriptors() override {
        ::setrlimit(RLIMIT_NOFILE, &before_);
        net::descriptors().measure();
    }
    static void lower(rlim_t soft) {
        rlimit limit{};
        ::getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = soft;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }

    rlimit before_{};
};

TEST_F(LimitOnDescriptors, IsRaisedWhereThereIsNoOther) {
    lower(100);
    EXPECT_FALSE(ConnectionLimit{0}.open());
    rlimit raised{};
    ::getrlimit(RLIMIT_NOFILE, &raised);
    EXPECT_EQ(raised.rlim_cur, before_.rlim_max);
}

TEST_F(LimitOnDescriptors, LeavesTheLastOnesToFiles) {
    constexpr int reserve = 8;
    lower(64);
    ConnectionLimit limit{1'000};
    EXPECT_FALSE(limit.open());
    int connections = 0;
    while (limit.acquire()) ++connections;
    EXPECT_GT(connections, 64 / 4);
    EXPECT_FALSE(net::descriptors().is_short());
    std::vector<net::FileShare> files(reserve);
    for (auto& file : files) {
        EXPECT_TRUE(file.take());
        EXPECT_TRUE(net::descriptors().is_short());
    }
    net::FileShare one_too_many;
    EXPECT_FALSE(one_too_many.take());
    EXPECT_EQ(net::descriptors().missing(), std::uint64_t{reserve});
    files.clear();
    EXPECT_FALSE(net::descriptors().is_short());
    EXPECT_FALSE(limit.acquire());
    limit.release({});
    EXPECT_TRUE(limit.acquire());
    for (; connections > 0; --connections) limit.release({});
}

TEST_F(LimitOnDescriptors, IsLessThoseThatAreOpenAnyway) {
    constexpr int soft = 1'100;  // more than are looked at in one call
    constexpr std::uint64_t for_a_moment = 4;
    if (before_.rlim_max < soft) GTEST_SKIP() << "the hard limit is lower";
    lower(soft);
    ASSERT_TRUE(net::descriptors().measure());
    std::uint64_t open = 0;
    for (int fd = 0; fd < soft; ++fd) open += ::fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
    EXPECT_EQ(net::descriptors().limit(), soft - open - for_a_moment);
}

TEST_F(LimitOnDescriptors, IsTooLowToServe) {
    lower(1);
    EXPECT_EQ(ConnectionLimit{1'000}.open(), std::errc::too_many_files_open);
}

}  // namespace
}  // namespace weir::engines
