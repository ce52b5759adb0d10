#include "site/listing/folder_reader.h"

#include <gtest/gtest.h>

#include "unit/site/fake_folder.h"

namespace weir::site {
namespace {

using By = ListingOrder::By;

struct Read {
    Folder folder;
    std::size_t pieces;
};

Read read(std::size_t count, FolderReader::Choice choice = {}) {
    FolderReader reader{std::make_unique<FakeFolder>(count), choice};
    std::size_t pieces = 1;
    while (!*reader.advance()) ++pieces;
    return {reader.take(), pieces};
}

bool is_sorted(const Folder& folder, std::size_t count, bool backwards = false) {
    if (folder.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t number = backwards ? count - 1 - i : i;
        if (folder.at(i).text != "file" + std::to_string(number)) return false;
    }
    return true;
}

TEST(FolderReader, SortsAnyNumberOfNames) {
    for (const std::size_t count : {0u, 1u, 2u, 1023u, 1024u, 1025u, 5000u})
        EXPECT_TRUE(is_sorted(read(count).folder, count)) << count;
}

TEST(FolderReader, SortsByWhatItLooksAt) {
    EXPECT_TRUE(is_sorted(read(5000, {.order = {By::size, true}}).folder, 5000));
    EXPECT_TRUE(is_sorted(read(5000, {.order = {By::size, false}}).folder, 5000, true));
    EXPECT_TRUE(is_sorted(read(5000, {.order = {By::name, true}}).folder, 5000, true));
}

TEST(FolderReader, OfManyNamesTakesSmallPiecesAndLittleMemory) {
    constexpr std::size_t count = 100'000;
    const auto [folder, pieces] = read(count);
    EXPECT_TRUE(is_sorted(folder, count));
    EXPECT_GE(pieces, 2 * count / FolderReader::Choice{}.names_per_piece)
        << "all are read, and merged";
    EXPECT_LE(folder.bytes(), 32 * count);
}

TEST(FolderReader, HasABound) {
    const auto [folder, pieces] = read(5000, {.names_max = 3000});
    EXPECT_EQ(folder.size(), 3000u);
    EXPECT_TRUE(folder.is_cut());
    EXPECT_FALSE(read(3000, {.names_max = 3000}).folder.is_cut());
}

TEST(FolderReader, LastsUnlessItLookedAtFiles) {
    EXPECT_TRUE(read(10).folder.lasts());
    EXPECT_FALSE(read(10, {.order = {By::size, true}}).folder.lasts());
}

}  // namespace
}  // namespace weir::site
