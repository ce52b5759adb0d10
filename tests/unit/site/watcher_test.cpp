#include "site/files/watcher.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/time_limit.h"
#include "unit/site/temporary_tree.h"

namespace weir::site {
namespace {

class WatcherTest : public testing::Test {
   protected:
    TemporaryTree tree;
    Cache cache{{}};
    std::unique_ptr<RootPath> root = *RootPath::open(tree.string(), {});

    std::shared_ptr<const Resource> cached(const std::string& path) {
        auto resource = std::make_shared<Resource>();
        resource->path = "/" + path;
        resource->dependencies.push_back({path, std::nullopt});
        cache.insert(resource, cache.changes());
        return resource;
    }
    bool reports(Watcher& watcher, const std::string& directory) const {
        return watcher.watch(*root->now(), directory) == Watcher::Watch::reports;
    }
    static bool becomes_invalid(const Resource& resource) {
        const auto end = std::chrono::steady_clock::now() + tests::time_limit;
        while (resource.is_valid() && std::chrono::steady_clock::now() < end)
            std::this_thread::yield();
        return !resource.is_valid();
    }
};

TEST_F(WatcherTest, ReportsTheFileThatChanged) {
    tree.write("d/a.txt", "one");
    Watcher watcher{*root, cache, {.watches_max = 10}};
    EXPECT_TRUE(reports(watcher, "") && reports(watcher, "d"));
    const auto changed = cached("d/a.txt");
    const auto other = cached("d/b.txt");
    tree.write("d/a.txt", "two");
    EXPECT_TRUE(becomes_invalid(*changed));
    EXPECT_TRUE(other->is_valid());
    tree.write("d/b.txt", "new");
    EXPECT_TRUE(becomes_invalid(*other));
}

TEST_F(WatcherTest, WatchesNoMoreThanItMay) {
    tree.directory("a");
    tree.directory("b");
    Watcher watcher{*root, cache, {.watches_max = 2}};
    EXPECT_TRUE(reports(watcher, ""));
    EXPECT_TRUE(reports(watcher, "a"));
    EXPECT_TRUE(reports(watcher, "a")) << "which it has already";
    EXPECT_FALSE(reports(watcher, "b"));
}

TEST_F(WatcherTest, AWatchThatIsGoneMakesRoom) {
    tree.directory("a");
    tree.directory("b");
    Watcher watcher{*root, cache, {.watches_max = 2}};
    EXPECT_TRUE(reports(watcher, "") && reports(watcher, "a"));
    const auto below = cached("a/x");
    tree.remove("a");
    EXPECT_TRUE(becomes_invalid(*below));
    EXPECT_TRUE(reports(watcher, "b"));
}

TEST_F(WatcherTest, OfNoWatchesRunsNoThread) {
    Watcher watcher{*root, cache, {.watches_max = 0}};
    EXPECT_FALSE(watcher.running());
    EXPECT_FALSE(reports(watcher, ""));
}

TEST_F(WatcherTest, ADirectoryBehindALinkIsNotWatched) {
    tree.directory("real");
    tree.link("link", "real");
    Watcher watcher{*root, cache, {.watches_max = 10}};
    EXPECT_FALSE(reports(watcher, "link"));
    EXPECT_TRUE(reports(watcher, "real"));
}

TEST_F(WatcherTest, AMissingDirectoryIsReportedByTheOneAbove) {
    Watcher watcher{*root, cache, {.watches_max = 10}};
    EXPECT_TRUE(reports(watcher, "") && reports(watcher, "later"));
    const auto below = cached("later/x");
    tree.directory("later");
    EXPECT_TRUE(becomes_invalid(*below));
}

TEST_F(WatcherTest, NoFileOfTheOldRootIsLeftWhenAnotherIsShown) {
    for (int i = 0; i < 100; ++i) tree.directory("1/" + std::to_string(i));
    tree.directory("2");
    tree.link("now", "1");
    root = *RootPath::open(tree.at("now").string(), {});
    Watcher watcher{*root, cache, {.watches_max = 200}};
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(reports(watcher, std::to_string(i)));
    const auto of_one = cached("0/x");
    ASSERT_TRUE(of_one->is_valid());
    const auto before = root->now();
    tree.link("next", "2");
    std::filesystem::rename(tree.at("next"), tree.at("now"));
    const auto end = std::chrono::steady_clock::now() + tests::time_limit;
    while (root->now() == before && std::chrono::steady_clock::now() < end) {}
    EXPECT_FALSE(of_one->is_valid());
    EXPECT_NE(root->now(), before);
}

TEST_F(WatcherTest, ReportsThatWereLostCountAsAChangeToAll) {
    std::size_t queued_max = 0;
    std::ifstream{"/proc/sys/fs/inotify/max_queued_events"} >> queued_max;
    ASSERT_GT(queued_max, 0u);
    tree.write("a", "");
    tree.write("b", "");
    Watcher watcher{*root, cache, {.watches_max = 10}};
    EXPECT_TRUE(reports(watcher, ""));
    const auto elsewhere = cached("elsewhere/file");
    cache.lock();  // the watcher's thread waits at the first report, and further reports queue up
    for (std::size_t i = 0; i < queued_max; ++i) {  // alternating, because the kernel merges
                                                    // repeated reports
        tree.set_modified("a", static_cast<std::int64_t>(i));
        tree.set_modified("b", static_cast<std::int64_t>(i));
    }
    EXPECT_TRUE(elsewhere->is_valid());
    cache.unlock();
    EXPECT_TRUE(becomes_invalid(*elsewhere));
}

}  // namespace
}  // namespace weir::site
