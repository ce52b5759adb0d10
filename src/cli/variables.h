#pragma once

#include <string>
#include <vector>

namespace weir::cli {

/// A sentence for each environment variable that begins with WEIR_ and that no command knows. A
/// mistyped variable has no effect, so the user should get a warning.
std::vector<std::string> unknown_variables();

}  // namespace weir::cli
