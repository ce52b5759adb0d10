#pragma once

#include <string_view>

namespace weir::site {

/// True if the last segment of the path looks like a name with a hash of the content in it, as
/// build tools make them: "index-BHx2k3a9.js", "main.3f2a1b9c.css.map". A hash stands between a "."
/// or "-" and a ".". It has at least eight letters, digits and "_", or exactly eight with "-" among
/// them, and not only small letters.
bool has_hash(std::string_view path) noexcept;

}  // namespace weir::site
