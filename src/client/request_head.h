#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "client/url.h"
#include "http/client/exchange.h"
#include "weir/client/client_request.h"

namespace weir::web::detail {

/// The bytes of a request with its content (RFC 9112 2.1).
http::client::Outgoing whole_request(const ClientRequest& request, const Url& url,
                                     std::string_view user_agent);

/// The head of a request whose content follows. `size`: of the content; nothing: chunked.
http::client::Outgoing streamed_request(const ClientRequest& request, const Url& url,
                                        std::string_view user_agent,
                                        std::optional<std::uint64_t> size);

}  // namespace weir::web::detail
