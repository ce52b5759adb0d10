#include "server/connection_counts.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weir::server {
namespace {

TEST(ConnectionCounts, AreKnownOnceEveryConnectionKnowsOfTheStop) {
    ConnectionCounts counts;
    EXPECT_TRUE(counts.all_retired());
    counts.opened();
    EXPECT_FALSE(counts.all_retired());
    counts.busy();
    counts.retired();
    EXPECT_TRUE(counts.all_retired());
    EXPECT_EQ(counts.requests(), 1u);
    counts.closed(true, true);
    EXPECT_TRUE(counts.all_retired());
    EXPECT_EQ(counts.requests(), 0u);
}

/// A worker that makes way, and is killed with a request, leaves one that nothing ends.
TEST(ConnectionCounts, AreNotKnownAfterAProcessWasLost) {
    ConnectionCounts counts;
    const pid_t killed = ::fork();
    if (killed == 0) {
        counts.opened();
        counts.busy();
        counts.retired();
        ::_exit(0);
    }
    ASSERT_EQ(::waitpid(killed, nullptr, 0), killed);
    EXPECT_TRUE(counts.all_retired());
    EXPECT_EQ(counts.requests(), 1u) << "it would be told at the stop";
    counts.process_lost();
    EXPECT_FALSE(counts.all_retired());
}

}  // namespace
}  // namespace weir::server
