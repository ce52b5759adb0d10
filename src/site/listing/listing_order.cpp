#include "site/listing/listing_order.h"

#include <compare>
#include <cstddef>

namespace weir::site {

namespace {

using By = ListingOrder::By;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

unsigned char folded(char c) noexcept {
    return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/// Takes the number at the start of `text` and returns its digits without leading zeros.
std::string_view take_number(std::string_view& text) noexcept {
    while (text.size() > 1 && text[0] == '0' && is_digit(text[1])) text.remove_prefix(1);
    std::size_t size = 0;
    while (size < text.size() && is_digit(text[size])) ++size;
    const std::string_view digits = text.substr(0, size);
    text.remove_prefix(size);
    return digits;
}

std::strong_ordering compare_numbers(std::string_view left, std::string_view right) noexcept {
    if (left.size() != right.size()) return left.size() <=> right.size();
    return left <=> right;
}

std::strong_ordering compare_naturally(std::string_view left, std::string_view right) noexcept {
    while (!left.empty() && !right.empty()) {
        auto order = std::strong_ordering::equal;
        if (is_digit(left[0]) && is_digit(right[0])) {
            order = compare_numbers(take_number(left), take_number(right));
        } else {
            order = folded(left[0]) <=> folded(right[0]);
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
        if (order != std::strong_ordering::equal) return order;
    }
    return left.size() <=> right.size();
}

}  // namespace

bool comes_before_naturally(std::string_view left, std::string_view right) noexcept {
    const auto order = compare_naturally(left, right);
    return order == std::strong_ordering::equal ? left < right : order < 0;
}

bool comes_before(const SortKey& left, const SortKey& right, ListingOrder order) noexcept {
    if (left.is_directory != right.is_directory) return left.is_directory;
    // A directory has no size in a listing.
    const By by = left.is_directory && order.by == By::size ? By::name : order.by;
    const bool descending = order.descending && by == order.by;
    const auto found =
        by == By::name ? compare_naturally(left.name, right.name) : left.value <=> right.value;
    if (found != std::strong_ordering::equal) return descending ? found > 0 : found < 0;
    return comes_before_naturally(left.name, right.name);
}

}  // namespace weir::site
