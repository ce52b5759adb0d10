#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weir::site {

struct ListingEntry;

/// How a listing is sorted. Directories always come first.
struct ListingOrder {
    enum class By : std::uint8_t { name, size, time };

    By by = By::name;
    bool descending = false;

    bool operator==(const ListingOrder&) const = default;
};

/// Parses a query, for example "sort=size&order=desc". It ignores unknown parameters. If a
/// parameter is repeated, the last one wins.
ListingOrder listing_order_from(std::string_view query) noexcept;

/// Sorts "file2" before "file10". Ignores the case of ASCII letters, unless the names differ only
/// in case.
bool comes_before_naturally(std::string_view left, std::string_view right) noexcept;

void sort_entries(std::vector<ListingEntry>& entries, ListingOrder order);

}  // namespace weir::site
