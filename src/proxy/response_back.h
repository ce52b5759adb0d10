#pragma once

#include <memory>

#include "proxy/servers.h"
#include "upstream/shared_exchange.h"
#include "weir/http/handler.h"
#include "weir/http/response.h"

namespace weir::proxy {

/// True if a 101 changes to the protocol that the request asked for.
bool has_asked_protocol(const upstream::Answered& answer) noexcept;

/// The response of another server, for the client. Its content follows as it comes; the request is
/// under way until the last byte was sent. `is_http_1`: the client's
/// version. Throws std::invalid_argument if the response can't be
/// sent.
http::Response response_back(std::shared_ptr<upstream::SharedExchange> exchange, UnderWay under_way,
                             bool is_http_1);

/// An interim response of another server, for the client.
http::EarlyHints hints_back(const upstream::Answered& hints, bool is_http_1);

/// The response to a request that has none from another server.
http::Response response_to(upstream::Failure failure);

}  // namespace weir::proxy
