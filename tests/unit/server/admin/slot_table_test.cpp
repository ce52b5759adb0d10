#include "server/metrics/slot_table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <vector>

#include "server/metrics/totals.h"
#include "support/time_limit.h"

namespace weir::server {
namespace {

TEST(SlotTable, GivesEachASlotOfItsOwn) {
    SlotTable table;
    std::set<std::size_t> taken;
    for (std::size_t i = 0; i < SlotTable::slots; ++i)
        EXPECT_TRUE(taken.insert(table.take()).second);
    EXPECT_FALSE(taken.contains(SlotTable::slots));
}

TEST(SlotTable, LetsAllOthersShareOne) {
    SlotTable table;
    for (std::size_t i = 0; i < SlotTable::slots; ++i) table.take();
    EXPECT_EQ(table.take(), SlotTable::slots);
    EXPECT_EQ(table.take(), SlotTable::slots);
    table.give_back(SlotTable::slots);
    EXPECT_EQ(table.take(), SlotTable::slots);
    table.give_back(7);
    EXPECT_EQ(table.take(), 7u);
}

TEST(SlotTable, KeepsWhatWasCountedWhenASlotIsGivenBack) {
    const auto table = std::make_shared<SlotTable>();
    for (int owner = 0; owner < 3; ++owner) {
        OwnSlot own;
        own.take(table);
        EXPECT_TRUE(own.is_alone_in(*table));
        ++own.counts().handlers_begun;
    }
    EXPECT_EQ(table->used(), 1u);  // each of them had the same
    EXPECT_EQ(Totals{*table}.handlers_begun, 3u);
}

TEST(SlotTable, CountsWhatIsInTheSharedSlotToo) {
    SlotTable table;
    ++table.counts(SlotTable::slots).handlers_begun;
    EXPECT_EQ(Totals{table}.handlers_begun, 1u);
}

TEST(SlotTable, IsSharedWithForkedProcesses) {
    if (!tests::forks_safely) GTEST_SKIP() << "AddressSanitizer's locks do not survive a fork";
    const auto table = std::make_shared<SlotTable>();
    const pid_t child = ::fork();
    if (child == 0) {
        OwnSlot own;
        own.take(table);
        ++own.counts().handlers_begun;
        own.give_back();
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(Totals{*table}.handlers_begun, 1u);
    EXPECT_EQ(table->take(), 0u);
}

TEST(SlotTable, TakesBackTheSlotsOfProcessesThatDied) {
    if (!tests::forks_safely) GTEST_SKIP() << "AddressSanitizer's locks do not survive a fork";
    SlotTable table;
    const pid_t child = ::fork();
    if (child == 0) {
        Counts& counts = table.counts(table.take());
        ++counts.handlers_begun;
        counts.turn_began = Instant{std::chrono::seconds{1}};
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(table.owner(0), child);
    EXPECT_EQ(Totals{table}.handlers_running(), 1u);
    table.reclaim();
    const Totals totals{table};
    EXPECT_EQ(table.owner(0), 0);
    EXPECT_EQ(totals.handlers_begun, 1u);  // what it counted stays
    EXPECT_EQ(totals.handlers_running(), 0u);
    EXPECT_EQ(totals.longest_turn(Instant{std::chrono::seconds{9}}).count(), 0);
}

TEST(SlotTable, LeavesTheSlotsOfThoseThatLive) {
    SlotTable table;
    table.take();
    table.reclaim();
    EXPECT_EQ(table.owner(0), ::getpid());
}

}  // namespace
}  // namespace weir::server
