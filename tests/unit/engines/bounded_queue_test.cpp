#include "engines/threads/bounded_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace weir::engines {
namespace {

TEST(BoundedQueue, TakesNoMoreThanItsLength) {
    BoundedQueue<int> queue{2};
    for (int item : {1, 2}) EXPECT_TRUE(queue.try_push(item));
    int third = 3;
    EXPECT_FALSE(queue.try_push(third));
    EXPECT_EQ(queue.pop(), 1);
    EXPECT_TRUE(queue.try_push(third));
}

TEST(BoundedQueue, KeepsTheOrderAsItGrows) {
    BoundedQueue<int> queue{100};
    int next = 0, expected = 0;
    for (; next < 10; ++next) queue.push(int{next});
    for (; expected < 7; ++expected) EXPECT_EQ(queue.pop(), expected);
    for (; next < 90; ++next) queue.push(int{next});
    for (; expected < 90; ++expected) EXPECT_EQ(queue.pop(), expected);
}

TEST(BoundedQueue, APushThatWaitsGoesOnOnceThereIsRoom) {
    BoundedQueue<int> queue{1};
    queue.push(1);
    std::jthread producer{[&] { queue.push(2); }};
    EXPECT_EQ(queue.pop(), 1);
    EXPECT_EQ(queue.pop(), 2);
}

TEST(BoundedQueue, GivesOutWhatItHoldsAfterItWasClosed) {
    BoundedQueue<int> queue{1};
    queue.push(1);
    queue.close();
    EXPECT_EQ(queue.pop(), 1);
    EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, ShowsItsLength) {
    EngineFigures figures;
    BoundedQueue<int> queue{2, &figures};
    EXPECT_EQ(figures.queue_places, 2u);
    int item = 7;
    for (int i = 0; i < 3; ++i) queue.try_push(item);
    EXPECT_EQ(figures.queue_length, 2u);
    EXPECT_EQ(figures.queue_entered, 2u);
    queue.pop();
    EXPECT_EQ(figures.queue_length, 1u);
    EXPECT_EQ(figures.queue_entered, 2u);
}

TEST(BoundedQueue, TellsWhileThereIsMoreWorkThanIdleThreads) {
    net::EventFd more_work;
    BoundedQueue<int> queue{2, nullptr, &more_work};
    queue.push(1);
    queue.push(2);
    EXPECT_TRUE(more_work.clear());
    more_work.signal();  // as it was
    queue.pop();
    EXPECT_TRUE(more_work.clear()) << "one item, and no thread in pop()";
    more_work.signal();
    queue.pop();
    EXPECT_FALSE(more_work.clear());
}

}  // namespace
}  // namespace weir::engines
