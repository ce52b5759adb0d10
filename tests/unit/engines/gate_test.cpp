#include "engines/gate.h"

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
    Gate gate{2};
    queue(3);
    const auto first = gate.accept(listener);
    const auto second = gate.accept(listener);
    EXPECT_EQ(first.kind, Kind::connection);
    EXPECT_EQ(second.kind, Kind::connection);
    EXPECT_EQ(gate.accept(listener).kind, Kind::exhausted);
    gate.leave();
    EXPECT_EQ(gate.accept(listener).kind, Kind::connection);
    EXPECT_EQ(gate.accept(listener).kind, Kind::exhausted);
}

TEST_F(GateBeforeAQueue, AnEmptyQueueTakesNoPlace) {
    Gate gate{1};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(gate.accept(listener).kind, Kind::none);
    queue(1);
    EXPECT_EQ(gate.accept(listener).kind, Kind::connection);
}

TEST_F(GateBeforeAQueue, ClosesAListenerThatIsOfNoUse) {
    Gate gate{1};
    ::shutdown(listener.fd(), SHUT_RD);  // it listens no more: EINVAL
    EXPECT_EQ(gate.accept(listener).kind, Kind::failed);
    EXPECT_EQ(listener.fd(), -1);
}

TEST(Gate, LeavesDescriptorsForFiles) {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const Gate gate{0};
    rlimit raised{};
    ::getrlimit(RLIMIT_NOFILE, &raised);
    EXPECT_EQ(raised.rlim_cur, limit.rlim_max);
    EXPECT_GE(gate.connections_max(), 8u);
    EXPECT_LE(gate.connections_max(), std::max<rlim_t>(raised.rlim_cur - 32, 8));
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(Gate, KeepsToTheNumberThatItIsGiven) { EXPECT_EQ(Gate{5}.connections_max(), 5u); }

}  // namespace
}  // namespace weir::engines
