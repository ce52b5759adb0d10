#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/trimmed.h"

namespace weir::rules {

constexpr std::size_t rules_max = 2000;            // of one file
constexpr std::size_t rule_line_bytes_max = 2000;  // without its end

/// A line that is ignored.
struct LineFault {
    std::size_t line;  // from 1
    std::string text;  // a sentence without its full stop
};

/// Calls `visit(number, line)` for each line of a file, without its end. Skips empty lines, and
/// comments, which begin with "#". A line that is too long becomes a fault.
template <typename Visit>
void for_each_rule_line(std::string_view content, std::vector<LineFault>& faults, Visit visit) {
    if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);  // U+FEFF, of some editors
    for (std::size_t number = 1; !content.empty(); ++number) {
        const std::size_t end = content.find('\n');
        std::string_view line = content.substr(0, end);
        content.remove_prefix(end == content.npos ? content.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        const std::string_view said = trimmed(line);
        if (said.empty() || said.starts_with('#')) continue;
        if (line.size() > rule_line_bytes_max)
            faults.push_back({number, "the line is longer than 2000 bytes"});
        else
            visit(number, line);
    }
}

}  // namespace weir::rules
