#pragma once

#include <string_view>

namespace weir::site {

/// `*`: any characters but `/`; `**`: any at all; `?`: one that is not `/`.
bool glob_matches(std::string_view pattern, std::string_view text) noexcept;

}  // namespace weir::site
