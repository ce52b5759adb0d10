#include "site/files/resource_loader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "site/answer/entity_tag.h"
#include "unit/site/temporary_tree.h"

namespace weir::site {
namespace {

/// The clock for files goes on.
void wait_until(const std::function<bool()>& condition) {
    while (!condition()) std::this_thread::yield();
}

/// What the loader needs around it.
class ResourceLoader : public testing::Test {
   protected:
    Loaded load(const std::string& file, bool content_tags = false) {
        auto loaded = load_resource("/" + file, file, lookup,
                                    {.media_types = types,
                                     .rules = rules,
                                     .content_tags = content_tags,
                                     .small_file_bytes_max = 10'000});
        return std::move(loaded.value());
    }
    std::string tag(const std::string& file) {
        return load(file, true).resource->representations[0].entity_tag;
    }

    const TemporaryTree tree;
    const RootDirectory root = *RootDirectory::open(tree.string(), Symlinks::inside_root);
    Cache cache{{}};
    Watcher watcher{root, cache, {.watches_max = 0}};
    Lookup lookup{root, watcher};
    const MediaTypes types;
    const FieldRules rules;
};

TEST_F(ResourceLoader, CountsTheMemoryOfAllThatItKeeps) {
    const std::string file = std::string(200, 'n') + ".txt";
    tree.write(file, std::string(1'000, 'x'));
    const auto loaded = load(file);
    const Resource& resource = *loaded.resource;
    ASSERT_EQ(resource.representations.size(), 1u);
    std::size_t least = sizeof resource + resource.path.size() + sizeof(Representation) + 1'000 +
                        resource.representations[0].fields.size();
    ASSERT_FALSE(resource.facts.empty());
    // The cache has the path of each fact once more.
    for (const Fact& fact : resource.facts) least += sizeof fact + 2 * fact.path.size();
    EXPECT_GE(resource.bytes, least);
    EXPECT_EQ(resource.descriptors, 0u);
}

TEST_F(ResourceLoader, EqualFilesHaveEqualTagsOfTheirContent) {
    for (const std::size_t size : {0, 5, 10'000, 10'001, 16'384, 16'385, 200'000}) {
        tree.write("a", std::string(size, 'x'));
        tree.write("b", std::string(size, 'x'));
        tree.write("c", std::string(size, 'x') + "y");
        wait_until([&] { return load("a", true).settled && load("b", true).settled; });
        EXPECT_EQ(tag("a"), tag("b")) << size;
        EXPECT_EQ(tag("a"), entity_tag(std::string(size, 'x')));
        EXPECT_NE(tag("a"), tag("c")) << size;
    }
}

TEST_F(ResourceLoader, ALargeFileHasATagOfItsDate) {
    const std::string content(1024 * 1024 + 1, 'x');
    tree.write("a", content);
    tree.write("b", content);
    const auto path = [&](const char* name) { return std::filesystem::path{tree.string()} / name; };
    std::filesystem::last_write_time(path("b"), std::filesystem::last_write_time(path("a")));
    wait_until([&] { return load("a", true).settled && load("b", true).settled; });
    EXPECT_EQ(tag("a"), tag("b"));
    EXPECT_NE(tag("a"), entity_tag(content));
}

}  // namespace
}  // namespace weir::site
