#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/folder/path_form.h"
#include "rules/folder/rule_lines.h"

namespace weir::rules {

/// A path of `_headers` and the lines below it.
struct HeaderRule {
    struct Line {
        std::string name;
        std::string value;  // empty: "! Name" takes the field away
    };
    PathForm path;
    std::vector<Line> lines;
};

struct HeadersFile {
    std::vector<HeaderRule> rules;
    std::vector<LineFault> faults;
};

/// Lines with faults have no effect. Below a path with a fault, no line has.
HeadersFile read_headers(std::string_view content);

/// The fields that all rules together have for a path.
struct HeaderChanges {
    std::vector<std::string> removed;
    std::vector<HeaderRule::Line> added;  // a name may be there several times

    bool is_empty() const noexcept { return removed.empty() && added.empty(); }
};

/// The values of several rules are one list, as in both services; where a field has one value
/// (RFC 9110 5.3), the last one counts.
HeaderChanges changes_for(const std::vector<HeaderRule>& rules, std::string_view path);

}  // namespace weir::rules
