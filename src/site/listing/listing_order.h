#pragma once

#include <cstdint>
#include <string_view>

namespace weir::site {

/// How a listing is sorted. Directories always come first.
struct ListingOrder {
    enum class By : std::uint8_t { name, size, time };

    By by = By::name;
    bool descending = false;

    bool operator==(const ListingOrder&) const = default;
};

/// The properties of an entry that decide its place.
struct SortKey {
    std::string_view name;
    bool is_directory = false;
    std::int64_t value = 0;  // the size or the time, if the order is by it
};

/// Sorts "file2" before "file10". Ignores the case of ASCII letters, unless the names differ only
/// in case.
bool comes_before_naturally(std::string_view left, std::string_view right) noexcept;

/// A strict order of entries whose names differ.
bool comes_before(const SortKey& left, const SortKey& right, ListingOrder order) noexcept;

}  // namespace weir::site
