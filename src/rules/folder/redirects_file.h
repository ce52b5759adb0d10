#pragma once

#include <string_view>
#include <vector>

#include "rules/folder/path_form.h"
#include "rules/folder/rule_lines.h"
#include "rules/moves/target.h"
#include "weir/http/status.h"

namespace weir::rules {

/// A line of `_redirects`: "FROM TO [STATUS][!]".
struct FolderMove {
    PathForm from;
    Target to;
    /// 200: the target is served in place of the path. 404: the target is the page of that error.
    /// Other statuses redirect.
    http::Status status;
    bool is_forced;  // also if there is a file at the path
};

struct RedirectsFile {
    std::vector<FolderMove> moves;
    std::vector<LineFault> faults;
};

/// Lines with faults have no effect. The format is that of Netlify: the default status is 301.
RedirectsFile read_redirects(std::string_view content);

}  // namespace weir::rules
