#include "server/housekeeper.h"

#include <gtest/gtest.h>

#include <future>

#include "net/event_fd.h"
#include "support/readable.h"

namespace weir::server {
namespace {

using tests::is_readable;

struct HousekeeperTest : testing::Test {
    HousekeeperTest() {
        housekeeper.add(first.fd(), [this] { firsts += first.clear() ? 1 : 100; });
        housekeeper.add(second.fd(), [this] { seconds += second.clear() ? 1 : 100; });
    }

    net::EventFd first, second;
    int firsts = 0, seconds = 0;
    Housekeeper housekeeper;
};

TEST_F(HousekeeperTest, RunsTheTasksThatAreDueAndNoOthers) {
    const int fd = housekeeper.open_fd();
    EXPECT_FALSE(is_readable(fd));
    second.signal();
    EXPECT_TRUE(is_readable(fd));
    housekeeper.run();
    EXPECT_FALSE(is_readable(fd));
    EXPECT_EQ(firsts, 0);
    EXPECT_EQ(seconds, 1);
    first.signal();
    second.signal();
    housekeeper.run();
    housekeeper.run();
    EXPECT_EQ(firsts, 1);
    EXPECT_EQ(seconds, 2);
}

TEST_F(HousekeeperTest, HasAThreadWhereNobodyElseRunsThem) {
    const net::EventFd due;
    std::promise<void> done;
    Housekeeper with_thread;  // its thread ends before what the task uses
    with_thread.add(due.fd(), [&] {
        if (due.clear()) done.set_value();
    });
    with_thread.start_thread();
    due.signal();
    done.get_future().wait();
}

}  // namespace
}  // namespace weir::server
