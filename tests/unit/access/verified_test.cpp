#include "access/memory/verified.h"

#include <gtest/gtest.h>

#include "access/memory/leases.h"
#include "support/forked.h"

namespace weir::access {
namespace {

using namespace std::chrono_literals;

const Instant begin{1h};

TEST(Verified, IsRememberedForSomeTime) {
    Verified verified;
    const SipDigest digest{1, 2};
    EXPECT_FALSE(verified.knows(digest, begin));
    verified.remember(digest, begin);
    EXPECT_TRUE(verified.knows(digest, begin));
    EXPECT_FALSE(verified.knows({1, 3}, begin));
    EXPECT_FALSE(verified.knows({257, 2}, begin)) << "in the same row";
    EXPECT_TRUE(verified.knows(digest, begin + Verified::time - 1ms));
    EXPECT_FALSE(verified.knows(digest, begin + Verified::time));
    verified.remember(digest, begin + 1h);
    EXPECT_TRUE(verified.knows(digest, begin + 1h));
}

TEST(Verified, TheLatestAreKept) {
    Verified verified;
    for (std::uint64_t i = 0; i < 100; ++i)
        verified.remember({0, i}, begin + std::chrono::milliseconds{i});
    EXPECT_TRUE(verified.knows({0, 99}, begin + 1s));
    EXPECT_TRUE(verified.knows({0, 96}, begin + 1s));
    EXPECT_FALSE(verified.knows({0, 1}, begin + 1s));
}

TEST(Verified, ProcessesThatAreForkedShareIt) {
    Verified verified;
    EXPECT_TRUE(tests::in_a_forked_process([&] {
        verified.remember({1, 2}, begin);
        return true;
    }));
    EXPECT_TRUE(verified.knows({1, 2}, begin));
}

TEST(Leases, AreLimitedInAllProcessesTogether) {
    Leases leases;
    EXPECT_TRUE(tests::in_a_forked_process([&] { return leases.take(begin).has_value(); }));
    std::optional<Leases::Lease> last;
    for (std::size_t i = 1; i < Leases::at_once_max; ++i) {
        last = leases.take(begin);
        ASSERT_TRUE(last.has_value()) << i;
    }
    EXPECT_FALSE(leases.take(begin).has_value());
    leases.give_back(*last);
    EXPECT_EQ(leases.take(begin), last);
}

TEST(Leases, OfAProcessThatWasKilledEndByThemselves) {
    Leases leases;
    for (std::size_t i = 0; i < Leases::at_once_max; ++i)
        ASSERT_TRUE(leases.take(begin).has_value());
    EXPECT_FALSE(leases.take(begin + Leases::time - 1ms).has_value());
    const auto next = leases.take(begin + Leases::time);
    ASSERT_TRUE(next.has_value());
    leases.give_back({.place = next->place, .until = next->until - 1});  // the one from before
    for (std::size_t i = 1; i < Leases::at_once_max; ++i)
        ASSERT_TRUE(leases.take(begin + Leases::time).has_value());
    EXPECT_FALSE(leases.take(begin + Leases::time).has_value());
}

}  // namespace
}  // namespace weir::access
