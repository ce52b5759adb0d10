#include "engines/door.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/engines/before_a_queue.h"

namespace weir::engines {
namespace {

constexpr std::chrono::milliseconds moment{2};  // of patience

class DoorBeforeAQueue : public BeforeAQueue {
   protected:
    void queue(int count) {
        BeforeAQueue::queue(count);
        door.knock();
    }

    /// How many came in.
    std::size_t accept(Instant now, bool silent, bool last = false) {
        const std::size_t before = admitted_.size();
        door.accept(now, last, [&](net::Accepted& accepted) {
            admitted_.push_back(std::move(accepted));
            return silent;
        });
        return admitted_.size() - before;
    }

    Gate gate{3};
    Door door{gate, std::span{&listener, 1}};
    const Instant start{std::chrono::hours{1}};

   private:
    std::vector<net::Accepted> admitted_;
};

TEST_F(DoorBeforeAQueue, WhoSpeaksAtOnceKeepsNobodyWaiting) {
    queue(2);
    EXPECT_EQ(accept(start, false), 2u);
    EXPECT_FALSE(door.is_paused());
    EXPECT_EQ(door.next(), never);
}

TEST_F(DoorBeforeAQueue, IsPausedForASilentNewcomerUntilTheLoopIsWokenAgain) {
    queue(1);
    EXPECT_EQ(accept(start, true), 1u);
    EXPECT_TRUE(door.is_paused());
    EXPECT_EQ(door.next(), start + moment);
    queue(1);
    EXPECT_EQ(accept(start, false), 1u) << "no time need pass";
    EXPECT_FALSE(door.is_paused());
}

TEST_F(DoorBeforeAQueue, IsNotPausedAgainWhereNobodyCame) {
    queue(1);
    accept(start, true);
    EXPECT_EQ(accept(start + moment, true), 0u);
    EXPECT_FALSE(door.is_paused());
}

TEST_F(DoorBeforeAQueue, OneWhoSpeaksSoonHoldsUpThoseBehind) {
    queue(3);
    EXPECT_EQ(accept(start, true), 1u);
    EXPECT_EQ(accept(start, true), 1u);
    EXPECT_EQ(accept(start, false), 1u);
}

TEST_F(DoorBeforeAQueue, ACrowdThatStaysSilentIsLetInEverFaster) {
    queue(3);
    EXPECT_EQ(accept(start, true), 1u);
    const auto end = net::precise_time() + moment;
    while (net::precise_time() < end) {}
    EXPECT_EQ(accept(start, true), 2u);
}

TEST_F(DoorBeforeAQueue, AFullHouseIsPausedForLonger) {
    queue(4);
    EXPECT_EQ(accept(start, false), 3u);
    EXPECT_EQ(door.next(), start + Gate::pause);
    EXPECT_EQ(accept(start + moment, false), 0u);
    gate.leave();
    EXPECT_EQ(accept(start + Gate::pause, false), 1u);
}

TEST_F(DoorBeforeAQueue, NobodyIsWaitedForAtTheEnd) {
    queue(2);
    EXPECT_EQ(accept(start, true, true), 2u);
    EXPECT_FALSE(door.is_paused());
    EXPECT_TRUE(door.is_closed());
}

}  // namespace
}  // namespace weir::engines
