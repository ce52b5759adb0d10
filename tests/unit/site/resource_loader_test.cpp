#include "site/lookup/resource_loader.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/site/temporary_tree.h"

namespace weir::site {
namespace {

TEST(ResourceLoader, CountsTheMemoryOfAllThatItKeeps) {
    const TemporaryTree tree;
    const std::string file = std::string(200, 'n') + ".txt";
    tree.write(file, std::string(1'000, 'x'));
    const auto root = *RootPath::open(tree.string(), {});
    Cache cache{{}};
    Watcher watcher{*root, cache, {.watches_max = 0}};
    const auto directory = root->now();
    Lookup lookup{*directory, watcher};
    const MediaTypes types;
    const FieldRules rules;
    EntityTags tags{TagsFrom::mtime};
    ManifestReader manifest{{}};
    Notices notices{{}};
    const auto loaded = load_resource("/" + file, file, lookup,
                                      {.media_types = types,
                                       .rules = rules,
                                       .tags = tags,
                                       .manifest = manifest,
                                       .notices = notices,
                                       .small_file_bytes_max = 10'000});
    ASSERT_TRUE(loaded.has_value());
    const Resource& resource = *loaded->resource;
    ASSERT_EQ(resource.representations.size(), 1u);
    std::size_t least = sizeof resource + resource.path.size() + sizeof(Representation) + 1'000 +
                        resource.representations[0].fields.bytes();
    ASSERT_FALSE(resource.dependencies.empty());
    // The cache has the path of each dependency once more.
    for (const FileDependency& dependency : resource.dependencies)
        least += sizeof dependency + 2 * dependency.path.size();
    EXPECT_GE(resource.bytes, least);
    EXPECT_EQ(resource.descriptors, 0u);
}

}  // namespace
}  // namespace weir::site
