#pragma once

#include "weir/http/method.h"

namespace weir::http {

/// The methods that read a resource (RFC 9110 9.3.1, 9.3.2). Their responses differ only in the
/// content.
constexpr bool is_get_or_head(Method method) noexcept {
    return method == Method::get || method == Method::head;
}

}  // namespace weir::http
