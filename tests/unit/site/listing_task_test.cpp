#include "site/listing/listing_task.h"

#include <gtest/gtest.h>

#include "unit/site/fake_folder.h"

namespace weir::site {
namespace {

using Progress = ListingTask::Progress;

constexpr std::size_t large = 20'000;
constexpr std::size_t bytes_max = 1024 * 1024;

ListingTask task_of(ListingDesk& desk, std::size_t count, std::uint64_t inode = 1,
                    ListingOrder order = {}) {
    const FileState directory{.kind = FileKind::directory, .inode = inode};
    return {desk, [=] { return std::make_unique<FakeFolder>(count, directory); }, {.order = order}};
}

Progress run(ListingTask& task) {
    Progress progress = *task.step();
    while (progress == Progress::more) progress = *task.step();
    return progress;
}

TEST(ListingTask, OfAFewThousandNamesIsDoneAtOnce) {
    ListingDesk desk{bytes_max};
    for (const std::size_t count : {0u, 1u, 3000u}) {
        auto task = task_of(desk, count);
        EXPECT_EQ(*task.start(), Progress::done) << count;
        EXPECT_EQ(task.folder()->size(), count);
    }
}

TEST(ListingTask, FailsAsItsFolderDoes) {
    ListingDesk desk{bytes_max};
    ListingTask task{
        desk,
        [] { return std::unexpected{std::make_error_code(std::errc::permission_denied)}; },
        {}};
    EXPECT_EQ(task.start().error(), std::errc::permission_denied);
}

TEST(ListingTask, OfMoreTakesSteps) {
    ListingDesk desk{bytes_max};
    auto task = task_of(desk, large);
    EXPECT_EQ(task.bytes(), 0u);
    EXPECT_EQ(*task.start(), Progress::more);
    EXPECT_GT(task.bytes(), large / 3 * std::string{"file1000"}.size());
    EXPECT_EQ(run(task), Progress::done);
    EXPECT_EQ(task.folder()->size(), large);
}

TEST(ListingTask, WaitsWhileAnotherFolderIsRead) {
    ListingDesk desk{bytes_max};
    auto second = task_of(desk, large, 2);
    EXPECT_EQ(*second.start(), Progress::more);
    {
        auto first = task_of(desk, large, 1);
        EXPECT_EQ(*first.start(), Progress::more);
        EXPECT_EQ(*first.step(), Progress::more);
        EXPECT_EQ(FakeFolder::open, 2);
        EXPECT_EQ(*second.step(), Progress::waits);
        EXPECT_EQ(FakeFolder::open, 1) << "what waits holds nothing";
        EXPECT_EQ(second.bytes(), 0u);
    }  // its peer has gone
    EXPECT_EQ(run(second), Progress::done);
}

TEST(ListingTask, TakesWhatAnotherHasReadMeanwhile) {
    ListingDesk desk{bytes_max};
    auto second = task_of(desk, large);
    EXPECT_EQ(*second.start(), Progress::more);
    std::shared_ptr<const Folder> read;
    {
        auto first = task_of(desk, large);
        (void)first.start();
        EXPECT_EQ(run(first), Progress::done);
        read = first.folder();
    }
    EXPECT_EQ(*second.step(), Progress::done);
    EXPECT_EQ(second.folder(), read);
    EXPECT_EQ(*task_of(desk, large).start(), Progress::done) << "it is kept";
}

TEST(ListingTask, SharesWhatDoesNotStayWithThoseThatWaited) {
    const ListingOrder by_size{.by = ListingOrder::By::size};
    ListingDesk desk{bytes_max};
    auto waits = task_of(desk, large, 1, by_size);
    auto waits_for_another = task_of(desk, large, 2, by_size);
    (void)waits.start();
    (void)waits_for_another.start();
    {
        auto first = task_of(desk, large, 1, by_size);
        (void)first.start();
        EXPECT_EQ(*first.step(), Progress::more);
        EXPECT_EQ(*waits.step(), Progress::waits);
        EXPECT_EQ(*waits_for_another.step(), Progress::waits);
        EXPECT_EQ(run(first), Progress::done);
    }
    {
        auto later = task_of(desk, large, 1, by_size);
        (void)later.start();
        EXPECT_EQ(*later.step(), Progress::more) << "files may have changed since";
    }
    EXPECT_EQ(*waits_for_another.step(), Progress::more);
    waits_for_another = task_of(desk, 0);
    EXPECT_EQ(*waits.step(), Progress::done);
}

TEST(ListingTask, KeepsOnlyWhatStaysTrue) {
    ListingDesk desk{bytes_max};
    const auto is_kept = [&](std::uint64_t inode, ListingOrder order) {
        {
            auto task = task_of(desk, large, inode, order);
            (void)task.start();
            EXPECT_EQ(run(task), Progress::done);
        }
        return *task_of(desk, large, inode, order).start() == Progress::done;
    };
    EXPECT_TRUE(is_kept(1, {}));
    EXPECT_EQ(*task_of(desk, large, 2).start(), Progress::more) << "another directory";
    EXPECT_EQ(*task_of(desk, large, 1, {.descending = true}).start(), Progress::more);
    EXPECT_FALSE(is_kept(1, {.by = ListingOrder::By::size})) << "files change, it does not";
    ListingDesk small{1024};
    auto task = task_of(small, large);
    (void)task.start();
    EXPECT_EQ(run(task), Progress::done);
    EXPECT_EQ(*task_of(small, large).start(), Progress::more);
}

TEST(ListingTask, KeepsNothingOfADirectoryThatHasJustChanged) {
    ListingDesk desk{bytes_max};
    timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    const FileState directory{.kind = FileKind::directory,
                              .changed = {now.tv_sec + 3600, now.tv_nsec}};
    const auto begin = [&] {
        return ListingTask{
            desk, [&] { return std::make_unique<FakeFolder>(large, directory); }, {}};
    };
    {
        auto task = begin();
        (void)task.start();
        EXPECT_EQ(run(task), Progress::done);
    }
    EXPECT_EQ(*begin().start(), Progress::more);
}

TEST(ListingDesk, InAForkedProcessHasItsTurn) {
    ListingDesk desk{bytes_max};
    auto of_parent = desk.take_turn();
    EXPECT_FALSE(desk.take_turn());
    desk.lock();
    desk.forget_turn_while_locked();
    desk.unlock();
    const auto own = desk.take_turn();
    EXPECT_TRUE(own);
    of_parent = {};
    EXPECT_FALSE(desk.take_turn()) << "the parent's copy does not end it";
}

}  // namespace
}  // namespace weir::site
