#pragma once

#include <cstddef>
#include <string_view>

#include "base/trimmed.h"

namespace weir::http {

/// How far the first element of a list reaches (RFC 9110 5.6.1): to a comma that no quoted string
/// contains, or to the end.
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

/// Calls `visit(element)` for each element of a list, without the white space around it; also for
/// the empty ones.
template <typename Visit>
void for_each_element(std::string_view list, Visit visit) {
    for (;;) {
        const std::size_t size = element_size(list);
        visit(trimmed(list.substr(0, size)));
        if (size == list.size()) return;
        list.remove_prefix(size + 1);
    }
}

/// The same without the empty ones, which a recipient ignores.
template <typename Visit>
void for_each_member(std::string_view list, Visit visit) {
    for_each_element(list, [&](std::string_view element) {
        if (!element.empty()) visit(element);
    });
}

}  // namespace weir::http
