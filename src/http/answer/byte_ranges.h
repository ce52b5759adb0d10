#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace weir::http {

struct ByteRange {
    std::uint64_t first = 0;
    std::uint64_t size = 0;  // > 0
};

/// The ranges of a Range field (RFC 9110 14.2), applied to one representation.
struct RequestedRanges {
    /// Programs that load only the changed parts of a file (zchunk, zsync) ask for so many ranges
    /// at once. Their ranges ascend.
    static constexpr std::size_t ranges_max = 256;
    /// No PDF viewer or video player asks for more ranges in another order.
    static constexpr std::size_t unordered_max = 16;

    enum class Kind : std::uint8_t {
        ignored,        // malformed, another unit, too many or overlapping: send the whole
        unsatisfiable,  // 416
        satisfiable,
    };

    Kind kind = Kind::ignored;
    std::size_t count = 0;
    ByteRange ranges[ranges_max];

    std::span<const ByteRange> all() const noexcept { return {ranges, count}; }
};

/// Parses `value`, a Range field, for a representation of `size` bytes. The ranges keep the order
/// of the request. Ignores sets with more than `ranges_max` ranges, sets with more than
/// `unordered_max` ranges that do not ascend, and sets with overlapping ranges: RFC 9110 14.2
/// allows this, because such sets are typical of attacks.
RequestedRanges requested_ranges(std::string_view value, std::uint64_t size) noexcept;

}  // namespace weir::http
