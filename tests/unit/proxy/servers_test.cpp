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

}  // namespace
}  // namespace weir::proxy
