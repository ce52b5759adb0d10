#pragma once

#include <string>

namespace weir::cli {

/// Why there are no options: the user asked for help (exit code 0), or the options are wrong (2).
struct NoOptions {
    int exit_code;
    std::string text;
};

/// "weir serve: MESSAGE; see weir serve --help", in one line.
NoOptions wrong_use(const std::string& command, const std::string& message);

}  // namespace weir::cli
