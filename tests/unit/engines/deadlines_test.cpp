#include "engines/loop/deadlines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <vector>

namespace weir::engines {
namespace {

Instant at(std::int64_t milliseconds) { return Instant{std::chrono::milliseconds{milliseconds}}; }

std::vector<std::uint32_t> all_due(Deadlines& deadlines, std::int64_t milliseconds) {
    std::vector<std::uint32_t> slots;
    while (const auto slot = deadlines.take_due(at(milliseconds))) slots.push_back(*slot);
    return slots;
}

TEST(Deadlines, NothingIsDueWhereNothingWasPromised) {
    Deadlines deadlines;
    EXPECT_EQ(deadlines.next(), never);
    EXPECT_FALSE(deadlines.take_due(at(1'000'000)));
    deadlines.schedule(3, never);
    EXPECT_EQ(deadlines.next(), never);
}

TEST(Deadlines, ComeUpInTheirOrder) {
    Deadlines deadlines;
    deadlines.schedule(7, at(30));
    deadlines.schedule(1, at(10));
    deadlines.schedule(4, at(20));
    EXPECT_EQ(deadlines.next(), at(10));
    EXPECT_TRUE(all_due(deadlines, 9).empty());
    EXPECT_EQ(all_due(deadlines, 20), (std::vector<std::uint32_t>{1, 4}));
    EXPECT_EQ(all_due(deadlines, 1'000), (std::vector<std::uint32_t>{7}));
}

TEST(Deadlines, AnEarlierPromiseCounts) {
    Deadlines deadlines;
    deadlines.schedule(1, at(50));
    deadlines.schedule(2, at(40));
    deadlines.schedule(1, at(30));
    EXPECT_EQ(deadlines.next(), at(30));
    EXPECT_EQ(all_due(deadlines, 100), (std::vector<std::uint32_t>{1, 2}));
}

TEST(Deadlines, ALaterOneIsLookedAtWhenTheFirstComesUp) {
    Deadlines deadlines;
    deadlines.schedule(1, at(30));
    deadlines.schedule(1, at(50));
    EXPECT_EQ(deadlines.next(), at(30));
    EXPECT_EQ(deadlines.take_due(at(30)), 1u);
    deadlines.schedule(1, at(50));
    EXPECT_TRUE(all_due(deadlines, 49).empty());
    EXPECT_EQ(deadlines.take_due(at(50)), 1u);
}

TEST(Deadlines, NobodyIsLateAmongMany) {
    // Against a model that simply remembers the earliest promise of each slot.
    std::mt19937 random{20261120};
    Deadlines deadlines;
    std::map<std::uint32_t, std::int64_t> model;
    std::int64_t now = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto slot = static_cast<std::uint32_t>(random() % 300);
        const std::int64_t when = now + static_cast<std::int64_t>(random() % 1'000);
        deadlines.schedule(slot, at(when));
        const auto [known, fresh] = model.try_emplace(slot, when);
        if (!fresh) known->second = std::min(known->second, when);
        if (i % 10 != 0) continue;
        now += 20;
        auto due = all_due(deadlines, now);
        std::ranges::sort(due);
        std::vector<std::uint32_t> expected;
        std::erase_if(model, [&](const auto& entry) {
            if (entry.second <= now) expected.push_back(entry.first);
            return entry.second <= now;
        });
        ASSERT_EQ(due, expected) << "at " << now;
    }
}

}  // namespace
}  // namespace weir::engines
