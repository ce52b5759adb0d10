#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/trimmed.h"

namespace weir::http {

enum class Comparison : std::uint8_t { strong, weak };

/// Compares by RFC 9110 8.8.3.2. `tag` is one entity tag as in the field; `own` is the entity tag
/// of the representation. A weak tag never matches by strong comparison.
bool tags_match(std::string_view tag, std::string_view own, Comparison comparison) noexcept;

/// True if `holds(tag)` is true for a member of a line of If-Match or If-None-Match. `holds` gets
/// the members as they are in the field, in order, up to the first for which it returns true.
///
/// for_each_member() does not fit: inside an entity tag, a backslash escapes nothing (RFC 9110
/// 8.8.3).
template <typename Holds>
bool any_tag(std::string_view line, Holds holds) {
    while (!(line = trimmed(line)).empty()) {
        const std::size_t quote = line.starts_with("W/") ? 2 : 0;
        std::size_t end = line.find(',');
        if (quote < line.size() && line[quote] == '"')
            if (const auto close = line.find('"', quote + 1); close != line.npos)
                end = line.find(',', close);
        if (holds(trimmed(line.substr(0, end)))) return true;
        if (end == line.npos) return false;
        line.remove_prefix(end + 1);
    }
    return false;
}

/// True if a line of If-Match or If-None-Match ("*" or a list) names `own`. A malformed entity tag
/// matches nothing.
bool line_matches(std::string_view line, std::string_view own, Comparison comparison) noexcept;

}  // namespace weir::http
