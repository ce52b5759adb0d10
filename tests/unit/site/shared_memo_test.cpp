#include "site/fields/shared_memo.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

TEST(SharedMemo, TheFirstValueStays) {
    SharedMemo memo;
    EXPECT_EQ(memo.find(7), std::nullopt);
    EXPECT_EQ(memo.keep(7, 70), 70u);
    EXPECT_EQ(memo.keep(7, 71), 70u);
    EXPECT_EQ(memo.find(7), 70u);
    EXPECT_EQ(memo.find(8), std::nullopt);
}

TEST(SharedMemo, KeysOfTheSameSlotAreTold) {
    SharedMemo memo;
    for (std::uint64_t i = 1; i < 30; ++i) EXPECT_EQ(memo.keep(i * SharedMemo::slots_max, i), i);
    for (std::uint64_t i = 1; i < 30; ++i) EXPECT_EQ(memo.find(i * SharedMemo::slots_max), i);
}

TEST(SharedMemo, KeepsNothingMoreOnceItIsFull) {
    SharedMemo memo;
    std::uint64_t key = 1;
    for (; memo.keep(key * SharedMemo::slots_max, key); ++key) ASSERT_LT(key, 1'000u);
    EXPECT_EQ(memo.find(key * SharedMemo::slots_max), std::nullopt);
    EXPECT_EQ(memo.find(SharedMemo::slots_max), 1u) << "and forgets nothing";
}

TEST(SharedMemo, OneCallIsTheFirst) {
    SharedMemo memo;
    EXPECT_TRUE(memo.is_first(7));
    EXPECT_FALSE(memo.is_first(7));
    EXPECT_FALSE(in_child([&] { return memo.is_first(7); }));
    EXPECT_TRUE(memo.is_first(8));
}

TEST(SharedMemo, WithoutSlotsNothingIsKept) {
    SharedMemo memo{0};
    EXPECT_FALSE(memo.keep(1, 10));
    EXPECT_FALSE(memo.find(1));
    EXPECT_FALSE(memo.is_first(1));
}

TEST(SharedMemo, ForkedProcessesAgree) {
    SharedMemo memo;
    EXPECT_EQ(memo.keep(1, 10), 10u);
    EXPECT_TRUE(in_child([&] { return memo.find(1) == 10u && memo.keep(2, 20) == 20u; }));
    EXPECT_EQ(memo.keep(2, 21), 20u);
}

TEST(SharedMemo, ThreadsAgree) {
    SharedMemo memo;
    constexpr std::uint64_t keys = 2'000;
    std::vector<std::vector<std::optional<std::uint64_t>>> seen(4);
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t number = 0; number < seen.size(); ++number)
            threads.emplace_back([&, number] {
                for (std::uint64_t key = 1; key <= keys; ++key)
                    seen[number].push_back(memo.keep(key * 3, 100 + number));
            });
    }
    for (const auto& values : seen) EXPECT_EQ(values, seen[0]);
}

}  // namespace
}  // namespace weir::site
