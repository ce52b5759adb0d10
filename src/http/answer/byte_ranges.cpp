#include "http/answer/byte_ranges.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "http/syntax/field_list.h"
#include "weir/http/field_name.h"

namespace weir::http {

namespace {

/// Parses 1*DIGIT. A number of more than 64 bits becomes the largest one: both are past the end of
/// any file.
std::optional<std::uint64_t> number_from(std::string_view text) noexcept {
    if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
    std::uint64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::result_out_of_range)
        return std::numeric_limits<std::uint64_t>::max();
    return value;
}

/// Parses one range of the set. Returns nothing if it is malformed, and size 0 if it is
/// unsatisfiable.
std::optional<ByteRange> range_from(std::string_view spec, std::uint64_t size) noexcept {
    const std::size_t dash = spec.find('-');
    if (dash == spec.npos) return std::nullopt;
    const std::string_view first_text = spec.substr(0, dash);
    const std::string_view last_text = spec.substr(dash + 1);

    if (first_text.empty()) {
        const auto length = number_from(last_text);
        if (!length) return std::nullopt;
        const std::uint64_t taken = std::min(*length, size);
        return ByteRange{size - taken, taken};
    }
    const auto first = number_from(first_text);
    const auto last =
        last_text.empty() ? std::numeric_limits<std::uint64_t>::max() : number_from(last_text);
    if (!first || !last || *last < *first) return std::nullopt;
    if (*first >= size) return ByteRange{0, 0};
    return ByteRange{*first, std::min(*last, size - 1) - *first + 1};
}

// Ranges end inside the representation, so no sum here exceeds 2^64.

/// True if each range begins where the one before it ends, or later.
bool ascend(std::span<const ByteRange> ranges) noexcept {
    return std::ranges::adjacent_find(ranges, [](const ByteRange& left, const ByteRange& right) {
               return right.first < left.first + left.size;
           }) == ranges.end();
}

bool overlap(std::span<const ByteRange> ranges) noexcept {
    for (std::size_t i = 0; i < ranges.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (ranges[i].first < ranges[j].first + ranges[j].size &&
                ranges[j].first < ranges[i].first + ranges[i].size)
                return true;
    return false;
}

}  // namespace

RequestedRanges requested_ranges(std::string_view value, std::uint64_t size) noexcept {
    using Kind = RequestedRanges::Kind;
    RequestedRanges requested;
    // Content-Range cannot name a byte of an empty representation.
    const std::size_t equals = value.find('=');
    if (size == 0 || equals == value.npos ||
        !equals_ignoring_case(value.substr(0, equals), "bytes"))
        return requested;

    std::size_t members = 0;
    bool usable = true;
    for_each_member(value.substr(equals + 1), [&](std::string_view member) {
        const auto range = range_from(member, size);
        usable = usable && range && ++members <= RequestedRanges::ranges_max;
        if (usable && range->size > 0) requested.ranges[requested.count++] = *range;
    });
    if (!usable || members == 0) return requested;
    if (!ascend(requested.all()) &&
        (members > RequestedRanges::unordered_max || overlap(requested.all())))
        return requested;
    requested.kind = requested.count > 0 ? Kind::satisfiable : Kind::unsatisfiable;
    return requested;
}

}  // namespace weir::http
