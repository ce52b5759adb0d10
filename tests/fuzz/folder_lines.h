#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "rules/folder/rule_lines.h"

namespace weir::tests {

/// The lines of `_headers` or `_redirects` that are neither empty nor comments.
inline std::size_t said_lines(std::string_view content) {
    if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
    std::size_t lines = 0;
    while (!content.empty()) {
        std::string_view line = take_line(content);
        if (line.ends_with('\r')) line.remove_suffix(1);
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin != line.npos && line[begin] != '#') ++lines;
    }
    return lines;
}

/// Each fault has a line of the file, and says something.
inline void check_faults(std::string_view content, const std::vector<rules::LineFault>& faults) {
    const auto lines = static_cast<std::size_t>(std::ranges::count(content, '\n')) + 1;
    for (const rules::LineFault& fault : faults)
        require(fault.line >= 1 && fault.line <= lines && !fault.text.empty());
}

}  // namespace weir::tests
