#pragma once

#include <string>
#include <string_view>

namespace weir::cli {

inline constexpr std::string_view version_number = WEIR_VERSION;

/// Several lines: the version, what it was compiled with, what is built in.
std::string version();

}  // namespace weir::cli
