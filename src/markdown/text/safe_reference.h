#pragma once

#include <string_view>

namespace weir::markdown {

/// True if a link or an image may lead to `reference`: it is relative, or its scheme (RFC 3986 3.1)
/// runs nothing in the page, unlike javascript: and data:.
bool is_safe_reference(std::string_view reference) noexcept;

}  // namespace weir::markdown
