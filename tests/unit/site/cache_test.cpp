#include "site/files/cache.h"

#include <gtest/gtest.h>

namespace weir::site {
namespace {

std::shared_ptr<Resource> resource(std::string path, std::size_t bytes = 100,
                                   std::size_t descriptors = 0) {
    auto made = std::make_shared<Resource>();
    made->dependencies.push_back({path.substr(1), std::nullopt});
    made->path = std::move(path);
    made->bytes = bytes;
    made->descriptors = descriptors;
    return made;
}

void put(Cache& cache, std::shared_ptr<Resource> one) {
    cache.insert(std::move(one), cache.changes());
}

TEST(Cache, FindsWhatWasPutIn) {
    Cache cache{{}};
    const auto one = resource("/a");
    EXPECT_FALSE(one->is_valid());
    put(cache, one);
    EXPECT_EQ(cache.find("/a"), one);
    EXPECT_TRUE(one->is_valid());
    EXPECT_EQ(cache.find("/b"), nullptr);
}

TEST(Cache, OnePathOneResource) {
    Cache cache{{}};
    const auto old = resource("/a");
    const auto young = resource("/a");
    put(cache, old);
    put(cache, young);
    EXPECT_EQ(cache.find("/a"), young);
    EXPECT_FALSE(old->is_valid());
    EXPECT_EQ(cache.usage().entries, 1u);
}

TEST(Cache, IsBoundedInEntries) {
    Cache cache{{.entries_max = 3}};
    for (int i = 0; i < 10; ++i) put(cache, resource("/" + std::to_string(i)));
    EXPECT_EQ(cache.usage().entries, 3u);
}

TEST(Cache, IsBoundedInBytes) {
    Cache cache{{.bytes_max = 1000}};
    for (int i = 0; i < 20; ++i) put(cache, resource("/" + std::to_string(i), 300));
    EXPECT_EQ(cache.usage().bytes, 900u);
    const auto whale = resource("/whale", 1001);
    put(cache, whale);
    EXPECT_EQ(cache.find("/whale"), nullptr);
    EXPECT_EQ(cache.usage().entries, 3u) << "and it drove nobody out";
}

TEST(Cache, IsBoundedInDescriptors) {
    Cache cache{{.descriptors_max = 4}};
    for (int i = 0; i < 20; ++i) put(cache, resource("/" + std::to_string(i), 100, 2));
    EXPECT_EQ(cache.usage().descriptors, 4u);
    EXPECT_EQ(cache.usage().entries, 2u);
}

TEST(Cache, OfNoEntriesKeepsNothing) {
    Cache cache{{.entries_max = 0}};
    put(cache, resource("/a"));
    EXPECT_EQ(cache.usage().entries, 0u);
}

TEST(Cache, WhatIsUsedStays) {
    Cache cache{{.entries_max = 4}};
    put(cache, resource("/hot"));
    for (int i = 0; i < 100; ++i) {
        ASSERT_NE(cache.find("/hot"), nullptr) << i;
        put(cache, resource("/cold" + std::to_string(i)));
    }
}

TEST(Cache, WhatIsEvictedIsInvalid) {
    Cache cache{{.entries_max = 1}};
    const auto one = resource("/a");
    put(cache, one);
    put(cache, resource("/b"));
    EXPECT_FALSE(one->is_valid()) << "nobody would hear of its changes";
}

TEST(Cache, AChangeDropsWhatDependsOnIt) {
    Cache cache{{}};
    const auto a = resource("/d/a");
    const auto b = resource("/d/b");
    put(cache, a);
    put(cache, b);
    cache.changed("d/a");
    EXPECT_FALSE(a->is_valid());
    EXPECT_EQ(cache.find("/d/a"), nullptr);
    EXPECT_EQ(cache.find("/d/b"), b);
    cache.changed("d/ab");
    EXPECT_TRUE(b->is_valid());
}

TEST(Cache, AChangedDirectoryDropsAllBelow) {
    Cache cache{{}};
    const auto deep = resource("/d/e/f");
    const auto other = resource("/de/f");
    put(cache, deep);
    put(cache, other);
    cache.changed("d");
    EXPECT_FALSE(deep->is_valid());
    EXPECT_TRUE(other->is_valid());
    cache.changed("");
    EXPECT_FALSE(other->is_valid());
    EXPECT_EQ(cache.usage().bytes, 0u);
}

TEST(Cache, AChangeDuringLoadingKeepsTheResourceOut) {
    Cache cache{{}};
    const auto seen = cache.changes();
    cache.changed("a");
    const auto one = resource("/a");
    cache.insert(one, seen);
    EXPECT_EQ(cache.find("/a"), nullptr);
    EXPECT_FALSE(one->is_valid());
}

TEST(Cache, ClosesTheFileThatWasNotUsedForLongest) {
    Cache cache{{}};
    put(cache, resource("/small"));
    for (const char* const path : {"/a", "/b", "/c"}) put(cache, resource(path, 100, 1));
    EXPECT_NE(cache.find("/a"), nullptr);
    EXPECT_TRUE(cache.close_a_file());
    EXPECT_EQ(cache.find("/b"), nullptr);
    EXPECT_TRUE(cache.close_a_file());
    EXPECT_EQ(cache.find("/c"), nullptr);
    EXPECT_TRUE(cache.close_a_file()) << "used or not";
    EXPECT_FALSE(cache.close_a_file());
    EXPECT_NE(cache.find("/small"), nullptr);
}

TEST(Cache, ClosesNoFileThatIsInUse) {
    Cache cache{{}};
    const auto in_use = resource("/a", 100, 1);
    put(cache, in_use);
    EXPECT_FALSE(cache.close_a_file());
    EXPECT_TRUE(in_use->is_valid());
}

TEST(Cache, WhatIsDoubtedIsFoundAndConfirmed) {
    Cache cache{{}};
    const auto watched = resource("/a");
    watched->watched = true;
    const auto checked_anyway = resource("/b");
    put(cache, watched);
    put(cache, checked_anyway);
    cache.invalidate_watched();
    EXPECT_FALSE(watched->is_valid());
    EXPECT_TRUE(checked_anyway->is_valid());
    EXPECT_EQ(cache.find("/a"), watched);
    const auto seen = cache.changes();
    EXPECT_TRUE(cache.confirm(*watched, seen));
    EXPECT_TRUE(watched->is_valid());
    cache.invalidate_watched();
    cache.changed("elsewhere");
    EXPECT_FALSE(cache.confirm(*watched, seen)) << "it may have changed while it was looked at";
    EXPECT_FALSE(watched->is_valid());
    cache.remove(*watched);
    EXPECT_FALSE(cache.confirm(*watched, cache.changes())) << "nobody would hear of its changes";
}

TEST(Cache, RemovesTheVeryResource) {
    Cache cache{{}};
    const auto old = resource("/a");
    const auto young = resource("/a");
    put(cache, young);
    cache.remove(*old);
    EXPECT_EQ(cache.find("/a"), young);
    cache.remove(*young);
    EXPECT_EQ(cache.find("/a"), nullptr);
}

}  // namespace
}  // namespace weir::site
