#include "engines/peer/connection_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

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
