#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "weir/http/field_name.h"

namespace weir::http {

/// True if the list has the name of a field, in letters of either case (RFC 9110 5.1).
inline bool is_one_of(std::string_view name, std::span<const std::string_view> names) noexcept {
    return std::ranges::any_of(
        names, [name](std::string_view each) { return equals_ignoring_case(each, name); });
}

}  // namespace weir::http
