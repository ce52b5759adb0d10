#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/commands/target_handler.h"
#include "cli/option/no_options.h"
#include "cli/options/launch_options.h"

namespace weir::cli {

struct TargetOptions : LaunchOptions {
    TargetAnswer answer;
};

/// Reads the arguments of `weir target` and the environment variables, like parse_serve_options().
std::expected<TargetOptions, NoOptions> parse_target_options(std::vector<std::string> arguments);

}  // namespace weir::cli
