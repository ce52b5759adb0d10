#pragma once

#include <string>
#include <string_view>

namespace weir::cli {

inline constexpr std::string_view version_number = WEIR_VERSION;

/// Several lines: the version, the compiler, and the optional parts of this build.
std::string version();

}  // namespace weir::cli
