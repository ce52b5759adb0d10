#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/trimmed.h"
#include "weir/http/response.h"

namespace weir::http {

/// Renders one field. Neither part is checked.
inline void append_line(std::string& lines, std::string_view name, std::string_view value) {
    lines.append(name).append(": ").append(value).append("\r\n");
}

/// Calls `visit(line, name, value)` for each line of rendered fields, "Name: value\r\n"... `line`
/// includes its CR LF; `value` has no white space around it.
template <typename Visit>
void for_each_line(std::string_view lines, Visit visit) {
    constexpr std::string_view line_end = "\r\n";
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find(line_end), lines.size() - line_end.size());
        const std::string_view content = lines.substr(0, end);
        const std::size_t colon = std::min(content.find(':'), end);
        visit(lines.substr(0, end + line_end.size()), content.substr(0, colon),
              trimmed(content.substr(std::min(colon + 1, end))));
        lines.remove_prefix(end + line_end.size());
    }
}

/// Does the same for all field lines of a response: first the prepared ones, then its own.
template <typename Visit>
void for_each_line(const Response& response, Visit visit) {
    for (const std::string_view lines : {response.prepared_fields(), response.own_fields()})
        for_each_line(lines, visit);
}

}  // namespace weir::http
