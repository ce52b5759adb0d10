#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::tests::plain {

enum class RangeKind : std::uint8_t { ignored, unsatisfiable, satisfiable };

struct Ranges {
    RangeKind kind = RangeKind::ignored;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> stretches;  // offset and size
};

/// RFC 9110 14.1.2, and docs/http.md: malformed sets, sets of more than 16 and sets that overlap are
/// ignored. `size` is that of the content, below 2^62.
Ranges read_ranges(std::string_view field, std::uint64_t size);

}  // namespace weir::tests::plain
