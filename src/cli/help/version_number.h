#pragma once

#include <string_view>

namespace weir::cli {

inline constexpr std::string_view version_number = WEIR_VERSION;

}  // namespace weir::cli
