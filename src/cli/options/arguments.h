#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options/option.h"

namespace weir::cli {

/// What each option was given, in the order of the options: the texts of its values; of a flag, one
/// "true" each time, or what was written behind '='.
using Given = std::vector<std::vector<std::string>>;

/// Finds the options in a command line. Throws WrongUse for what is none of them, and for a value
/// that is missing.
Given find_options(std::span<const Option> options, std::vector<std::string> arguments);

/// Help wins wherever it stands: -h or --help, but not behind "--".
bool asks_for_help(std::span<const std::string> arguments);

}  // namespace weir::cli
