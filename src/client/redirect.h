#pragma once

#include <optional>
#include <string_view>

#include "client/url.h"
#include "weir/client/client_request.h"
#include "weir/http/status.h"

namespace weir::web::detail {

/// 301, 302, 303, 307 and 308 (RFC 9110 15.4)
constexpr bool is_redirect(http::Status status) noexcept {
    using enum http::Status;
    return status == moved_permanently || status == found || status == see_other ||
           status == temporary_redirect || status == permanent_redirect;
}

/// The request that follows a redirect from `from` to `to`.
ClientRequest redirected(const ClientRequest& request, http::Status status, const Url& from,
                         const Url& to);

}  // namespace weir::web::detail
