#include "engines/door.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/engines/before_a_queue.h"

namespace weir::engines {
namespace {

constexpr std::chrono::milliseconds moment{2};  // of patience
constexpr std::size_t patience = 8;             // times, where nobody leaves
constexpr std::size_t room = 12;

class DoorBeforeAQueue : public BeforeAQueue {
   protected:
    void queue(std::size_t count) {
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

    Gate gate{room};
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

TEST_F(DoorBeforeAQueue, ACrowdThatComesToStayIsNotWaitedForForLong) {
    queue(room - 1);
    for (std::size_t times = 0; times < patience; ++times) EXPECT_EQ(accept(start, true), 1u);
    EXPECT_EQ(accept(start, true), room - 1 - patience);
    EXPECT_FALSE(door.is_paused());
}

TEST_F(DoorBeforeAQueue, WhoLeavesMakesItPatientOnceMore) {
    queue(room);
    for (std::size_t times = 0; times < patience; ++times) accept(start, true);
    door.leave();
    EXPECT_EQ(accept(start, true), 1u);
    EXPECT_TRUE(door.is_paused());
    EXPECT_EQ(accept(start, true), room - patience - 1);
}

TEST_F(DoorBeforeAQueue, PatienceDoesNotGrowWithoutEnd) {
    queue(room);
    for (std::size_t i = 0; i < room; ++i) {
        ASSERT_TRUE(gate.enter());
        door.leave();
    }
    for (std::size_t times = 0; times < patience; ++times) EXPECT_EQ(accept(start, true), 1u);
    EXPECT_EQ(accept(start, true), room - patience);
}

TEST_F(DoorBeforeAQueue, AFullHouseIsPausedForLonger) {
    queue(room + 2);
    EXPECT_EQ(accept(start, false), room);
    EXPECT_EQ(door.next(), start + Gate::pause);
    EXPECT_EQ(accept(start + moment, false), 0u);
    gate.leave();  // from another loop
    EXPECT_EQ(accept(start + Gate::pause, false), 1u);
    door.leave();
    EXPECT_EQ(accept(start + Gate::pause, false), 1u) << "no time need pass";
}

TEST_F(DoorBeforeAQueue, NobodyIsWaitedForAtTheEnd) {
    queue(2);
    EXPECT_EQ(accept(start, true, true), 2u);
    EXPECT_FALSE(door.is_paused());
    EXPECT_TRUE(door.is_closed());
}

}  // namespace
}  // namespace weir::engines
