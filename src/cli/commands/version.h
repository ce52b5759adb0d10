#pragma once

#include <string>

namespace weir::cli {

/// Several lines: the version, the compiler, and the optional parts of this build.
std::string version();

}  // namespace weir::cli
