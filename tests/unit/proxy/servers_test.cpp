#include "proxy/servers.h"

#include <gtest/gtest.h>

#include <array>
#include <list>

namespace weir::proxy {
namespace {

using namespace std::chrono_literals;

struct ServersTest : ::testing::Test {
    ServersTest() {
        for (const char* const url : {"http://127.0.0.1:1", "http://127.0.0.1:2"})
            servers.add(*upstream::parse_target(url));
    }
    /// The number of requests that the first server gets of so many, which stay under way.
    std::size_t first_of(std::size_t count) {
        std::list<UnderWay> all;
        std::size_t of_first = 0;
        while (all.size() < count) {
            Server& chosen = servers.choose(now);
            all.emplace_back(chosen);
            if (&chosen == &first()) ++of_first;
        }
        return of_first;
    }
    /// The same, one request after the other: the last one has ended before the next one begins.
    /// `time` passes meanwhile.
    std::size_t first_of(std::size_t count, Instant::duration time) {
        std::size_t of_first = 0;
        for (std::size_t i = 0; i < count; ++i) {
            now += time / count;
            const UnderWay request{servers.choose(now)};
            if (&request.server() == &first()) ++of_first;
        }
        return of_first;
    }
    Server& first() { return const_cast<Server&>(servers.all().front()); }
    Server& second() { return const_cast<Server&>(servers.all().back()); }

    Instant now{1h};
    Servers servers{30s};
};

TEST_F(ServersTest, ShareTheRequests) { EXPECT_EQ(first_of(100), 50u); }

TEST_F(ServersTest, EachHasItsTurnIfNoneHasMore) {
    EXPECT_NE(&servers.choose(now), &servers.choose(now));
}

TEST_F(ServersTest, PausedOneGetsNone) {
    first().pause(now + 10s);
    EXPECT_EQ(first_of(100), 0u);
}

TEST_F(ServersTest, AnotherStandsIn) {
    const Server* const failed = &first();
    EXPECT_EQ(servers.choose_other({&failed, 1}, now), &second());
}

TEST_F(ServersTest, PausedOneStandsInIfThereIsNoOther) {
    for (Server* const each : {&first(), &second()}) each->pause(now + 10s);
    const Server* const failed = &first();
    EXPECT_EQ(servers.choose_other({&failed, 1}, now), &second());
    const std::array both{failed, static_cast<const Server*>(&second())};
    EXPECT_EQ(servers.choose_other(both, now), nullptr);
}

TEST_F(ServersTest, IfAllArePausedTheFirstToComeBackIsChosen) {
    first().pause(now + 9s);
    second().pause(now + 10s);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(&servers.choose(now), &first());
    first().pause(now + 11s);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(&servers.choose(now), &second());
}

TEST_F(ServersTest, ChoiceOfAnotherTakesNoTurn) {
    const Server* const failed = &servers.choose(now);
    servers.choose_other({&failed, 1}, now);
    EXPECT_NE(&servers.choose(now), failed);
}

TEST_F(ServersTest, ShareGrowsAfterAPause) {
    first().pause(now + 10s);
    now += 10s;
    EXPECT_EQ(first_of(110), 10u);
    now += 15s;
    const std::size_t half_way = first_of(110);
    EXPECT_GT(half_way, 20u);
    EXPECT_LT(half_way, 50u);
    now += 15s;
    EXPECT_EQ(first_of(110), 55u);
}

TEST_F(ServersTest, ShareGrowsAlsoWhereOneRequestFollowsTheOther) {
    first().pause(now + 10s);
    EXPECT_EQ(first_of(100, 10s - 1ms), 0u);
    EXPECT_NEAR(static_cast<double>(first_of(330, 3s)), 30, 1);
    std::size_t before = 30;
    for (int i = 1; i < 9; ++i) {
        const std::size_t share = first_of(330, 3s);
        EXPECT_GE(share, before);
        before = share;
    }
    EXPECT_NEAR(static_cast<double>(first_of(330, 3s)), 330. * 9 / 19, 3);
    EXPECT_EQ(first_of(330, 3s), 165u);
}

TEST_F(ServersTest, ShareIsTheSameWithSomeRequestsUnderWay) {
    first().pause(now);
    for (const std::size_t at_once : {2U, 4U, 30U}) {
        std::list<UnderWay> all;
        int of_first = 0;
        for (int i = 0; i < 1'100; ++i) {
            if (all.size() == at_once) all.pop_front();
            all.emplace_back(servers.choose(now));
            if (&all.back().server() == &first()) ++of_first;
        }
        EXPECT_NEAR(of_first, 100, 10) << at_once;
    }
}

TEST_F(ServersTest, TheOthersShareTheRest) {
    servers.add(*upstream::parse_target("http://127.0.0.1:3"));
    first().pause(now);
    std::array<int, 3> of{};
    for (int i = 0; i < 210; ++i) ++of.at(servers.choose(now).target().port - 1);
    EXPECT_NEAR(of[0], 10, 1);
    EXPECT_GT(of[1], 60);
    EXPECT_GT(of[2], 60);
}

TEST_F(ServersTest, ServersThatComeBackTogetherShareAsSoon) {
    first().pause(now);
    second().pause(now + 2s);
    now += 18s;  // 6 tenths, 5 tenths
    EXPECT_NEAR(static_cast<double>(first_of(110, 1us)), 60, 1);
}

/// It has waited too long for its turn to make up for all of it.
TEST_F(ServersTest, ServerThatWasBusyMakesUpForLittle) {
    first().pause(now);
    std::list<UnderWay> slow;
    for (int i = 0; i < 3; ++i) slow.emplace_back(first());
    EXPECT_EQ(first_of(1'000, 1us), 0u);
    slow.clear();
    EXPECT_LE(first_of(110, 1us), 12u);
}

}  // namespace
}  // namespace weir::proxy
