#pragma once

#include <optional>

#include "weir/base/requires_cxx23.h"

namespace weir::web::detail {

template <typename Value>
constexpr bool is_optional = false;
template <typename Value>
constexpr bool is_optional<std::optional<Value>> = true;

}  // namespace weir::web::detail
