#pragma once

#include <cstddef>
#include <string_view>

#include "base/trimmed.h"

namespace weir::http {

/// Returns the size of the first element of a list (RFC 9110 5.6.1). The element ends at a comma
/// outside of quoted strings, or with the list.
constexpr std::size_t element_size(std::string_view list) noexcept {
    const std::size_t comma = list.find(',');
    if (comma == list.npos) return list.size();
    if (list.substr(0, comma).find('"') == list.npos) return comma;
    bool quoted = false;
    std::size_t end = 0;
    for (; end < list.size() && (quoted || list[end] != ','); ++end) {
        if (list[end] == '"') quoted = !quoted;
        if (quoted && list[end] == '\\' && end + 1 < list.size()) ++end;
    }
    return end;
}

/// Calls `visit(element)` for each element of a list, also for empty ones. `element` has no white
/// space around it.
template <typename Visit>
void for_each_element(std::string_view list, Visit visit) {
    for (;;) {
        const std::size_t size = element_size(list);
        visit(trimmed(list.substr(0, size)));
        if (size == list.size()) return;
        list.remove_prefix(size + 1);
    }
}

/// Does the same without the empty elements, which a recipient ignores (RFC 9110 5.6.1.2).
template <typename Visit>
void for_each_member(std::string_view list, Visit visit) {
    for_each_element(list, [&](std::string_view element) {
        if (!element.empty()) visit(element);
    });
}

}  // namespace weir::http
