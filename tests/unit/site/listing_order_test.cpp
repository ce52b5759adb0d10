#include "site/listing/listing_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "site/listing/listing.h"

namespace weir::site {
namespace {

using By = ListingOrder::By;
using testing::ElementsAre;

std::vector<std::string> sorted(std::vector<ListingEntry> entries, ListingOrder order = {}) {
    const auto key = [&](const ListingEntry& entry) {
        const bool by_size = order.by == By::size;
        return SortKey{
            .name = entry.name,
            .is_directory = entry.is_directory,
            .value = by_size ? static_cast<std::int64_t>(entry.size) : entry.modified.value_or(0)};
    };
    std::ranges::sort(entries, [&](const ListingEntry& left, const ListingEntry& right) {
        return comes_before(key(left), key(right), order);
    });
    std::vector<std::string> names;
    for (const ListingEntry& entry : entries) names.push_back(entry.name);
    return names;
}

std::vector<std::string> sorted_names(std::initializer_list<std::string> names) {
    std::vector<ListingEntry> entries;
    for (const std::string& name : names) entries.push_back({.name = name});
    return sorted(std::move(entries));
}

TEST(ListingOrder, NumbersAreComparedAsNumbers) {
    EXPECT_THAT(sorted_names({"file10", "file2", "file1"}),
                ElementsAre("file1", "file2", "file10"));
    EXPECT_THAT(sorted_names({"1.10.0", "1.9.1", "1.9"}), ElementsAre("1.9", "1.9.1", "1.10.0"));
    EXPECT_THAT(sorted_names({"a100000000000000000000000001", "a99999999999999999999999999"}),
                ElementsAre("a99999999999999999999999999", "a100000000000000000000000001"));
}

TEST(ListingOrder, LeadingZerosAndCaseDecideLast) {
    EXPECT_THAT(sorted_names({"a1b", "a01a", "a001c"}), ElementsAre("a01a", "a1b", "a001c"));
    EXPECT_THAT(sorted_names({"a1", "a01"}), ElementsAre("a01", "a1"));
    EXPECT_THAT(sorted_names({"b", "a", "B", "A"}), ElementsAre("A", "a", "B", "b"));
    EXPECT_THAT(sorted_names({"a0", "a00", "a"}), ElementsAre("a", "a0", "a00"));
}

/// std::sort requires a strict order; this checks all special cases.
TEST(ListingOrder, IsAStrictOrder) {
    const std::vector<std::string> names = {
        "",    "0",  "00",   "1",   "01", "10",       "2",  "a",  "A", "a1",  "a2",
        "a10", "A2", "a01b", "a1B", "-",  "\xc3\xa4", "a ", "1a", "9", "a-1", "aa"};
    for (const auto& a : names)
        for (const auto& b : names) {
            EXPECT_EQ(comes_before_naturally(a, b) || comes_before_naturally(b, a), a != b);
            EXPECT_FALSE(comes_before_naturally(a, b) && comes_before_naturally(b, a));
            for (const auto& c : names) {
                const bool chained = comes_before_naturally(a, b) && comes_before_naturally(b, c);
                EXPECT_TRUE(!chained || comes_before_naturally(a, c)) << a << ' ' << b << ' ' << c;
            }
        }
}

TEST(ListingOrder, DirectoriesStayFirst) {
    const std::vector<ListingEntry> entries{
        {.name = "small", .size = 1, .modified = 30},
        {.name = "new", .is_directory = true, .size = 4096, .modified = 20},
        {.name = "large", .size = 100, .modified = 5},
        {.name = "old", .is_directory = true, .size = 9999, .modified = 10},
    };
    EXPECT_THAT(sorted(entries), ElementsAre("new", "old", "large", "small"));
    EXPECT_THAT(sorted(entries, {By::name, true}), ElementsAre("old", "new", "small", "large"));
    EXPECT_THAT(sorted(entries, {By::size, false}), ElementsAre("new", "old", "small", "large"));
    EXPECT_THAT(sorted(entries, {By::size, true}), ElementsAre("new", "old", "large", "small"));
    EXPECT_THAT(sorted(entries, {By::time, false}), ElementsAre("old", "new", "large", "small"));
    EXPECT_THAT(sorted(entries, {By::time, true}), ElementsAre("new", "old", "small", "large"));
}

TEST(ListingOrder, WhatIsEqualIsSortedByName) {
    const std::vector<ListingEntry> entries{{.name = "b10"}, {.name = "b9"}, {.name = "a"}};
    EXPECT_THAT(sorted(entries, {By::size, true}), ElementsAre("a", "b9", "b10"));
    EXPECT_THAT(sorted(entries, {By::time, false}), ElementsAre("a", "b9", "b10"));
}

}  // namespace
}  // namespace weir::site
