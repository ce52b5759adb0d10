#pragma once

#include <string>
#include <vector>

namespace weir::cli {

/// A sentence about each variable of the environment that begins with WEIR_ and that no command
/// knows: mistyped ones change nothing, and whoever set one should hear of it.
std::vector<std::string> unknown_variables();

}  // namespace weir::cli
