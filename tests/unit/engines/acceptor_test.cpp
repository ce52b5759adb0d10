#include "engines/loop/acceptor.h"

#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "base/troubles.h"
#include "unit/engines/before_a_queue.h"

namespace weir::engines {
namespace {

constexpr std::chrono::milliseconds moment{2};  // of deferral
constexpr std::size_t deferral = 8;             // times, if no connection closes
constexpr std::size_t room = 12;

class AcceptorOfAQueue : public BeforeAQueue {
   protected:
    void queue(std::size_t count) {
        BeforeAQueue::queue(count);
        acceptor.note_arrivals();
    }

    /// Returns how many were accepted.
    std::size_t accept(Instant now, bool silent, bool last = false) {
        const std::size_t before = admitted_.size();
        acceptor.accept(now, last, [&](net::Accepted& accepted) {
            admitted_.push_back(std::move(accepted));
            return silent;
        });
        return admitted_.size() - before;
    }

    ConnectionLimit limit{room};
    Acceptor acceptor{limit, std::span{&listener, 1}};
    const Instant start{std::chrono::hours{1}};

   private:
    std::vector<net::Accepted> admitted_;
};

TEST_F(AcceptorOfAQueue, ConnectionThatSendsAtOnceDelaysNone) {
    queue(2);
    EXPECT_EQ(accept(start, false), 2u);
    EXPECT_FALSE(acceptor.is_paused());
    EXPECT_EQ(acceptor.next(), never);
}

TEST_F(AcceptorOfAQueue, PausesForASilentConnectionUntilTheLoopIsWokenAgain) {
    queue(1);
    EXPECT_EQ(accept(start, true), 1u);
    EXPECT_TRUE(acceptor.is_paused());
    EXPECT_EQ(acceptor.next(), start + moment);
    queue(1);
    EXPECT_EQ(accept(start, false), 1u) << "no time need pass";
    EXPECT_FALSE(acceptor.is_paused());
}

TEST_F(AcceptorOfAQueue, DoesNotPauseAgainIfNothingArrived) {
    queue(1);
    accept(start, true);
    EXPECT_EQ(accept(start + moment, true), 0u);
    EXPECT_FALSE(acceptor.is_paused());
}

TEST_F(AcceptorOfAQueue, EachSilentConnectionDelaysTheNext) {
    queue(3);
    EXPECT_EQ(accept(start, true), 1u);
    EXPECT_EQ(accept(start, true), 1u);
    EXPECT_EQ(accept(start, false), 1u);
}

TEST_F(AcceptorOfAQueue, ManySilentConnectionsAreSoonAcceptedAtOnce) {
    queue(room - 1);
    for (std::size_t times = 0; times < deferral; ++times) EXPECT_EQ(accept(start, true), 1u);
    EXPECT_EQ(accept(start, true), room - 1 - deferral);
    EXPECT_FALSE(acceptor.is_paused());
}

TEST_F(AcceptorOfAQueue, AConnectionThatClosesAllowsOneMorePause) {
    queue(room);
    for (std::size_t times = 0; times < deferral; ++times) accept(start, true);
    acceptor.connection_closed({});
    EXPECT_EQ(accept(start, true), 1u);
    EXPECT_TRUE(acceptor.is_paused());
    EXPECT_EQ(accept(start, true), room - deferral - 1);
}

TEST_F(AcceptorOfAQueue, NumberOfPausesIsLimited) {
    queue(room);
    for (std::size_t i = 0; i < room; ++i) {
        ASSERT_TRUE(limit.acquire());
        acceptor.connection_closed({});
    }
    for (std::size_t times = 0; times < deferral; ++times) EXPECT_EQ(accept(start, true), 1u);
    EXPECT_EQ(accept(start, true), room - deferral);
}

// epoll(7) reports a listener again only after all other sockets that are ready. Beside thousands of
// busy connections, those in the queue waited for seconds.
TEST_F(AcceptorOfAQueue, QueueThatIsLongerThanATurnIsLeftToTheNextWithoutAReport) {
    constexpr std::size_t turn = 64, queued = turn + 10;
    ConnectionLimit wide{queued + 1};
    Acceptor patient{wide, std::span{&listener, 1}};
    BeforeAQueue::queue(queued);
    std::size_t admitted = 0;
    const auto admit = [&](net::Accepted&) {
        ++admitted;
        return false;
    };
    patient.note_arrivals();
    patient.accept(start, false, admit);
    EXPECT_EQ(admitted, turn);
    EXPECT_EQ(patient.next(), Instant::min());
    patient.accept(start, false, admit);
    EXPECT_EQ(admitted, queued);
    EXPECT_EQ(patient.next(), never);
}

TEST_F(AcceptorOfAQueue, PausesForLongerAtTheLimit) {
    queue(room + 2);
    EXPECT_EQ(accept(start, false), room);
    EXPECT_EQ(acceptor.next(), start + ConnectionLimit::pause);
    EXPECT_EQ(accept(start + moment, false), 0u);
    limit.release({});  // from another loop
    EXPECT_EQ(accept(start + ConnectionLimit::pause, false), 1u);
    acceptor.connection_closed({});
    EXPECT_EQ(accept(start + ConnectionLimit::pause, false), 1u) << "no time need pass";
}

TEST_F(AcceptorOfAQueue, DoesNotPauseWhenTheServerStops) {
    queue(2);
    EXPECT_EQ(accept(start, true, true), 2u);
    EXPECT_FALSE(acceptor.is_paused());
    EXPECT_TRUE(acceptor.is_closed());
}

TEST_F(AcceptorOfAQueue, WithoutMemoryForOneTheOthersWait) {
    queue(3);
    const auto noted_before = troubles().count(Trouble::memory);
    int asked = 0;
    acceptor.accept(start, false, [&asked](net::Accepted&) -> bool {
        ++asked;
        throw std::bad_alloc{};
    });
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(troubles().count(Trouble::memory), noted_before + 1);
    EXPECT_TRUE(acceptor.is_paused());
    EXPECT_EQ(acceptor.refused(), 2u);
    EXPECT_EQ(accept(start + ConnectionLimit::pause, false), 2u);
    EXPECT_FALSE(acceptor.is_paused());
}

}  // namespace
}  // namespace weir::engines
