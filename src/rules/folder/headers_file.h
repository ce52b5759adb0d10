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
        std::string value;  // empty: "! Name" removes the field
    };
    PathForm path;
    std::vector<Line> lines;
};

struct HeadersFile {
    std::vector<HeaderRule> rules;
    std::vector<LineFault> faults;
};

/// Lines with faults have no effect, nor do the lines below a path with a fault.
HeadersFile read_headers(std::string_view content);

/// The changes of all rules together to the fields for a path.
struct HeaderChanges {
    std::vector<std::string> removed;
    std::vector<HeaderRule::Line> added;  // a name may be there several times

    bool is_empty() const noexcept { return removed.empty() && added.empty(); }
};

/// The values of several rules are one list, as in both services. If a field has a single value
/// (RFC 9110 5.3), the last one counts.
HeaderChanges changes_for(const std::vector<HeaderRule>& rules, std::string_view path);

}  // namespace weir::rules
