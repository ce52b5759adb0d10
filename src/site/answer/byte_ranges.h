#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace weir::site {

struct ByteRange {
    std::uint64_t first = 0;
    std::uint64_t size = 0;  // > 0
};

/// What a Range field (RFC 9110 14.2) asks of a representation.
struct RequestedRanges {
    /// More than a viewer of documents or a player of videos asks for at once; each costs a part
    /// with a header of its own.
    static constexpr std::size_t ranges_max = 16;

    enum class Kind : std::uint8_t {
        ignored,        // malformed, another unit, or a set that isn't worth it: the whole is sent
        unsatisfiable,  // 416
        satisfiable,
    };

    Kind kind = Kind::ignored;
    std::size_t count = 0;
    ByteRange ranges[ranges_max];

    std::span<const ByteRange> all() const noexcept { return {ranges, count}; }
};

/// `size`: of the representation. In the order asked for. Sets with more than `ranges_max` members,
/// and those that overlap, are ignored, as RFC 9110 14.2 lets a server do: they serve attacks.
RequestedRanges requested_ranges(std::string_view value, std::uint64_t size) noexcept;

}  // namespace weir::site
