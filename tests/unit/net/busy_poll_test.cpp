#include "net/waiting/busy_poll.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>

#include "net/event_fd.h"
#include "net/waiting/epoll.h"

namespace weir::net {
namespace {

using std::chrono::microseconds;

constexpr microseconds soon{20}, late{500};

TEST(BusyPoll, IsTriedAfterAShortSleep) {
    BusyPoll busy{microseconds{50}};
    EXPECT_FALSE(busy.pays());
    busy.slept(soon);
    EXPECT_TRUE(busy.pays());
}

TEST(BusyPoll, IsLeftOffWhereSleepsAreLong) {
    BusyPoll busy{microseconds{50}};
    busy.slept(soon);
    busy.slept(late);
    EXPECT_FALSE(busy.pays());
    busy.slept(late);
    EXPECT_FALSE(busy.pays());
    busy.slept(soon);
    EXPECT_TRUE(busy.pays());
}

/// Counts the short sleeps before the next try.
int short_sleeps_before_a_try(BusyPoll& busy) {
    int sleeps = 0;
    for (; !busy.pays(); ++sleeps) busy.slept(soon);
    return sleeps;
}

TEST(BusyPoll, IsTriedEverMoreSeldomWhereItIsInVain) {
    BusyPoll busy{microseconds{50}};
    busy.slept(soon);
    for (const int sleeps : {1, 2, 4, 8}) {
        busy.was_in_vain();
        EXPECT_EQ(short_sleeps_before_a_try(busy), sleeps);
    }
    busy.succeeded();
    busy.was_in_vain();
    EXPECT_EQ(short_sleeps_before_a_try(busy), 1);
}

TEST(BusyPoll, NeverEndsForGood) {
    BusyPoll busy{microseconds{50}};
    for (int i = 0; i < 100; ++i) busy.was_in_vain();
    EXPECT_EQ(short_sleeps_before_a_try(busy), 4096);
}

TEST(BusyPoll, AnEpollFindsWhatIsThereAndSleepsUntilItsTime) {
    Epoll epoll{microseconds{50}};
    ASSERT_FALSE(epoll.open());
    const EventFd event;
    ASSERT_TRUE(epoll.add(event.fd(), EPOLLIN, 7));
    EXPECT_TRUE(epoll.wait(1).empty());
    event.signal();
    for (int i = 0; i < 3; ++i) {  // after a sleep, and while polling
        const auto events = epoll.wait(-1);
        ASSERT_EQ(events.size(), 1u);
        EXPECT_EQ(events[0].data.u64, 7u);
    }
    event.clear();
    EXPECT_TRUE(epoll.wait(1).empty());
}

}  // namespace
}  // namespace weir::net
