#include "rules/auth/tries.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::rules {
namespace {

using std::chrono::seconds;

const Peer alice = Peer::parse("192.0.2.7");
const Peer bob = Peer::parse("192.0.2.8");
const Instant start{std::chrono::hours{1}};

TEST(Tries, AreLimitedForEachClient) {
    Tries tries{3};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(tries.take(alice, start), seconds{0});
    EXPECT_EQ(tries.take(alice, start + seconds{20}), seconds{40});
    EXPECT_EQ(tries.take(bob, start), seconds{0});
    EXPECT_EQ(tries.take(alice, start + Tries::span), seconds{0}) << "the next minute";
}

TEST(Tries, ThatWereRightDoNotCount) {
    Tries tries{1};
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(tries.take(alice, start), seconds{0});
        tries.give_back(alice);
    }
    EXPECT_EQ(tries.take(alice, start), seconds{0});
    EXPECT_GT(tries.take(alice, start), seconds{0});
}

TEST(Tries, OfANetworkOfIpv6AreOneClients) {
    Tries tries{1};
    EXPECT_EQ(tries.take(Peer::parse("2001:db8::1"), start), seconds{0});
    EXPECT_GT(tries.take(Peer::parse("2001:db8::2"), start), seconds{0});
    EXPECT_EQ(tries.take(Peer::parse("2001:db8:0:1::1"), start), seconds{0});
}

TEST(Tries, OfUnixSocketsAndWithoutALimitAreFree) {
    Tries tries{1};
    Tries unlimited{0};
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(tries.take(Peer{}, start), seconds{0});
        EXPECT_EQ(unlimited.take(alice, start), seconds{0});
    }
}

TEST(Tries, OfTooManyClientsAreCountedTogether) {
    Tries tries{1};
    const auto client = [](std::size_t number) {
        return Peer::parse("10." + std::to_string(number / 65'536) + '.' +
                           std::to_string(number / 256 % 256) + '.' + std::to_string(number % 256));
    };
    for (std::size_t i = 0; i < Tries::clients_max; ++i)
        ASSERT_EQ(tries.take(client(i), start), seconds{0});
    EXPECT_EQ(tries.take(alice, start), seconds{0});
    EXPECT_GT(tries.take(bob, start), seconds{0}) << "alice was one of the others, too";
    const Instant later = start + Tries::span;
    EXPECT_EQ(tries.take(bob, later), seconds{0});
    EXPECT_EQ(tries.take(alice, later), seconds{0}) << "there is room again";
}

}  // namespace
}  // namespace weir::rules
