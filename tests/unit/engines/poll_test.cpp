#include "engines/peer/poll.h"

#include <gtest/gtest.h>

#include <array>

#include "base/troubles.h"
#include "net/event_fd.h"
#include "support/process.h"

namespace weir::engines {
namespace {

struct Poll : testing::Test {
    Poll() {
        watched.fill({-1, POLLIN, 0});
        watched.back().fd = event.fd();
    }

    net::EventFd event;
    std::array<pollfd, 100> watched{};
};

TEST_F(Poll, WorksInPartsWhereTheLimitIsLowerThanTheListIsLong) {
    const tests::LowDescriptorLimit low{16};
    const auto before = troubles().count(Trouble::descriptors);
    EXPECT_EQ(poll(watched, 1), -1);
    event.signal();
    EXPECT_EQ(poll(watched, -1), 1);
    EXPECT_EQ(watched.back().revents, POLLIN);
    EXPECT_EQ(troubles().count(Trouble::descriptors), before + 2);
}

TEST_F(Poll, ReturnsWhereNothingMayBeWatchedAtAll) {
    const tests::LowDescriptorLimit low{0};
    event.signal();
    EXPECT_EQ(poll(watched, -1), -1);
}

TEST_F(Poll, WaitsAsPollDoesOtherwise) {
    EXPECT_EQ(poll(watched, 0), 0);
    event.signal();
    EXPECT_EQ(poll(watched, -1), 1);
}

}  // namespace
}  // namespace weir::engines
