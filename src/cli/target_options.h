#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/launch_options.h"
#include "cli/no_options.h"
#include "cli/target_handler.h"

namespace weir::cli {

struct TargetOptions : LaunchOptions {
    TargetAnswer answer;
};

/// Reads the arguments of `weir target`, and the variables, as parse_serve_options() does.
std::expected<TargetOptions, NoOptions> parse_target_options(std::vector<std::string> arguments);

}  // namespace weir::cli
