// Several addresses of one server: the first connection wins.

#include "upstream/race.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "net/clock.h"
#include "silent.h"
#include "support/client.h"
#include "support/time_limit.h"
#include "upstream/races.h"

namespace weir::upstream {
namespace {

using std::chrono::milliseconds;

struct RaceTest : ::testing::Test {
    ~RaceTest() override { races.stop(); }

    /// The state once the sockets have nothing new to report at that time.
    static Race::State decided(Race& race, Instant now) {
        auto state = race.advance(now);
        while (state == Race::State::undecided) {
            std::vector<pollfd> watched;
            race.append_to(watched);
            EXPECT_GT(::poll(watched.data(), watched.size(), tests::time_limit.count()), 0);
            state = race.advance(now);
        }
        return state;
    }
    /// The address of the winner, to which the socket is connected.
    static net::Address winner_of(Race& race) {
        const Race::Attempt best = race.take_best();
        sockaddr_storage peer{};
        socklen_t size = sizeof peer;
        EXPECT_EQ(::getpeername(best.socket.get(), reinterpret_cast<sockaddr*>(&peer), &size), 0);
        return best.address;
    }

    const Instant start{std::chrono::hours{1}};
    const milliseconds timeout{5'000};
    const net::UniqueFd refuses = tests::bound_socket();
    const net::UniqueFd accepts = listening_socket(64);
    const Silent silent;
    Races races;
};

TEST_F(RaceTest, AddressThatRefusesLosesAtOnce) {
    Race race{{address_of(refuses), address_of(accepts)}, timeout};
    ASSERT_EQ(decided(race, start), Race::State::won);
    EXPECT_EQ(winner_of(race), address_of(accepts));
}

TEST_F(RaceTest, SilentAddressIsOvertakenAfterAMoment) {
    Race race{{silent.address(), address_of(accepts)}, timeout};
    EXPECT_EQ(race.advance(start), Race::State::undecided);
    EXPECT_EQ(race.due(), start + Race::attempt_delay);
    EXPECT_EQ(race.advance(start + Race::attempt_delay - milliseconds{1}), Race::State::undecided);
    ASSERT_EQ(decided(race, start + Race::attempt_delay), Race::State::won);
    EXPECT_EQ(winner_of(race), address_of(accepts));
}

/// The slow one can still win while the second is tried.
TEST_F(RaceTest, AttemptsGoOnSideBySide) {
    const Silent other;
    Race race{{silent.address(), other.address()}, timeout};
    EXPECT_EQ(race.advance(start), Race::State::undecided);
    EXPECT_EQ(race.advance(start + Race::attempt_delay), Race::State::undecided);
    std::vector<pollfd> watched;
    race.append_to(watched);
    EXPECT_EQ(watched.size(), 2u);
    EXPECT_EQ(race.due(), start + timeout);
}

TEST_F(RaceTest, IsLostIfEachAttemptFails) {
    Race refused{{address_of(refuses), address_of(refuses)}, timeout};
    EXPECT_EQ(decided(refused, start), Race::State::lost);
    Race late{{silent.address(), address_of(refuses)}, timeout};
    EXPECT_EQ(late.advance(start), Race::State::undecided);
    EXPECT_EQ(late.advance(start + timeout - milliseconds{1}), Race::State::undecided);
    EXPECT_EQ(decided(late, start + timeout), Race::State::lost);
}

TEST_F(RaceTest, WithoutATimeoutAttemptsGoOn) {
    Race race{{silent.address(), silent.address()}, milliseconds{0}};
    EXPECT_EQ(race.advance(start), Race::State::undecided);
    EXPECT_EQ(race.advance(start + std::chrono::hours{1}), Race::State::undecided);
    EXPECT_EQ(race.due(), never);
}

TEST_F(RaceTest, OnlyAddressIsTheEnginesToWaitFor) {
    Race race{{silent.address()}, timeout};
    EXPECT_EQ(race.advance(start), Race::State::won);
    EXPECT_TRUE(race.take_best().socket);
}

TEST_F(RaceTest, AttemptsAreCountedAsDescriptors) {
    const auto before = net::descriptors().used();
    std::optional<Race> race{std::in_place, std::vector{silent.address(), silent.address()},
                             timeout};
    race->advance(start);
    race->advance(start + Race::attempt_delay);
    EXPECT_EQ(net::descriptors().used(), before + 2);
    const auto best = race->take_best();
    EXPECT_EQ(net::descriptors().used(), before + 1);
}

// ---- the thread of the races ----

TEST_F(RaceTest, ThreadDecidesARaceThatTakesTime) {
    std::promise<net::Address> winner;
    Race race{{silent.address(), address_of(accepts)}, timeout};
    ASSERT_EQ(race.advance(net::read_instant()), Race::State::undecided);
    races.add(std::move(race), [&winner](Race&& ended, bool is_won) {
        EXPECT_TRUE(is_won);
        winner.set_value(ended.take_best().address);
    });
    auto future = winner.get_future();
    ASSERT_EQ(future.wait_for(tests::time_limit), std::future_status::ready);
    EXPECT_EQ(future.get(), address_of(accepts));
}

TEST_F(RaceTest, ThreadEndsWithItsRacesAndBeginsAgain) {
    for (int i = 0; i < 3; ++i) {
        std::promise<bool> decided;
        races.add(Race{{address_of(refuses), address_of(refuses)}, timeout},
                  [&decided](Race&&, bool is_won) { decided.set_value(is_won); });
        EXPECT_FALSE(decided.get_future().get());
    }
}

TEST_F(RaceTest, StopForgetsTheRacesUnderWay) {
    const auto watched = std::make_shared<int>(0);
    const std::weak_ptr<int> seen = watched;
    races.add(Race{{silent.address(), silent.address()}, milliseconds{0}},
              [held = watched](Race&&, bool) { ADD_FAILURE() << "is not decided"; });
    races.stop();
    EXPECT_EQ(seen.use_count(), 1);
    races.add(Race{{address_of(accepts)}, timeout},
              [](Race&&, bool) { ADD_FAILURE() << "began after the stop"; });
}

}  // namespace
}  // namespace weir::upstream
