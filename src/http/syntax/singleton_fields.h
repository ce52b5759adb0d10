#pragma once

#include <string_view>

namespace weir::http {

/// A field that an answer may have once (RFC 9110 5.3): its value is no list that lines could be
/// recombined into.
bool is_singleton(std::string_view name) noexcept;

}  // namespace weir::http
