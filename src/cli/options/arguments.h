#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/option/option.h"

namespace weir::cli {

/// The texts of each option, in the order of the options: its values. A flag has "true" for each
/// time it was given, or the text after '='.
using Given = std::vector<std::vector<std::string>>;

/// Finds the options in a command line. Throws WrongUse for an unknown argument and for a missing
/// value.
Given find_options(std::span<const Option> options, std::vector<std::string> arguments);

/// True for -h, --help or --help-all anywhere before "--".
bool asks_for_help(std::span<const std::string> arguments);
/// True for --help-all.
bool asks_for_all_help(std::span<const std::string> arguments);

}  // namespace weir::cli
