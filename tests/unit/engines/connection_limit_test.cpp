#include "engines/peer/connection_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <vector>

#include "net/descriptors.h"
#include "unit/engines/before_a_queue.h"

namespace weir::engines {
namespace {

using Kind = net::Accepted::Kind;

class GateBeforeAQueue : public BeforeAQueue {};

TEST_F(GateBeforeAQueue, LetsInAsManyAsMayBeIn) {
    ConnectionLimit limit{2};
    queue(3);
    const auto first = limit.accept(listener);
    const auto second = limit.accept(listener);
    EXPECT_EQ(first.kind, Kind::connection);
    EXPECT_EQ(second.kind, Kind::connection);
    EXPECT_EQ(limit.accept(listener).kind, Kind::exhausted);
    limit.release();
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
    limit.release();
    EXPECT_TRUE(limit.acquire());
    for (; connections > 0; --connections) limit.release();
}

TEST_F(LimitOnDescriptors, IsTooLowToServe) {
    lower(1);
    EXPECT_EQ(ConnectionLimit{1'000}.open(), std::errc::too_many_files_open);
}

}  // namespace
}  // namespace weir::engines
