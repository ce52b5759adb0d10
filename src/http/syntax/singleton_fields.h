#pragma once

#include <string_view>

namespace weir::http {

/// True for a field that a response may have once only (RFC 9110 5.3): its value is not a list, so
/// several lines cannot be combined.
bool is_singleton(std::string_view name) noexcept;

}  // namespace weir::http
