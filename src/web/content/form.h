#pragma once

#include <string_view>

#include "base/form_decoded.h"

namespace weir::web {

/// Calls `visit(name, value)` for each pair of a query or form, not decoded (see form_decoded()),
/// in order.
template <typename Visit>
void for_each_pair(std::string_view text, Visit visit) {
    for_each_parameter(text, [&](std::string_view pair) {
        const std::size_t equals = pair.find('=');
        visit(pair.substr(0, equals),
              equals == pair.npos ? std::string_view{} : pair.substr(equals + 1));
    });
}

}  // namespace weir::web
