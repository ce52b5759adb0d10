// Allocations of a site's cache and watcher that fail.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "base/troubles.h"
#include "faults/failing_new.h"
#include "site/files/watcher.h"
#include "support/time_limit.h"
#include "unit/site/temporary_tree.h"

namespace weir::site {
namespace {

using tests::FailingNew;

struct SiteMemory : ::testing::Test {
    SiteMemory() { FailingNew::spare_this_thread(); }
    ~SiteMemory() override { FailingNew::clear(); }

    std::shared_ptr<const Resource> cached(const std::string& path) {
        auto resource = std::make_shared<Resource>();
        resource->path = "/" + path;
        resource->dependencies.push_back({path, std::nullopt});
        cache.insert(resource, cache.changes());
        return resource;
    }
    static bool becomes_invalid(const Resource& resource) {
        const auto end = std::chrono::steady_clock::now() + tests::time_limit;
        while (resource.is_valid() && std::chrono::steady_clock::now() < end)
            std::this_thread::yield();
        return !resource.is_valid();
    }

    TemporaryTree tree;
    Cache cache{{}};
};

TEST_F(SiteMemory, OfAnEntryThatIsMissingIsNoted) {
    const auto before = troubles().count(Trouble::memory);
    auto resource = std::make_shared<Resource>();
    resource->path = "/a";
    FailingNew::fail(1);
    FailingNew::strike([&] { cache.insert(resource, cache.changes()); });
    EXPECT_EQ(FailingNew::failed(), 1);
    EXPECT_FALSE(resource->is_valid());
    EXPECT_EQ(troubles().count(Trouble::memory), before + 1);
}

TEST_F(SiteMemory, OfAReportThatIsMissingCostsAllThatWasWatched) {
    const std::string directory(100, 'd');  // a path that needs memory
    tree.write(directory + "/a.txt", "one");
    const auto root = *RootPath::open(tree.string(), {});
    Watcher watcher{*root, cache, {}};
    ASSERT_EQ(watcher.watch(*root->now(), directory), Watcher::Watch::reports);
    const auto other = cached(directory + "/b.txt");
    FailingNew::fail(1);
    tree.write(directory + "/a.txt", "two");
    EXPECT_TRUE(becomes_invalid(*other)) << "it is not known what has changed";
    EXPECT_EQ(FailingNew::failed(), 1);
    FailingNew::clear();
    ASSERT_EQ(watcher.watch(*root->now(), directory), Watcher::Watch::reports);
    const auto later = cached(directory + "/a.txt");
    tree.write(directory + "/a.txt", "three");
    EXPECT_TRUE(becomes_invalid(*later)) << "it is watched anew";
}

}  // namespace
}  // namespace weir::site
