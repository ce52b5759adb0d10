#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/http/request.h"
#include "weir/web/response.h"
#include "weir/web/websocket.h"

namespace weir::web::ws {

/// Null if the call opens a WebSocket (RFC 6455 4.2.1, RFC 8441 5) and its page may do so; otherwise
/// the response.
std::optional<Response> refusal_of(const Call& call, const WebSocketOptions& options);

/// The place of the first one of the options that the peer offers, from 1; 0: none.
std::uint32_t chosen_protocol(const http::Request& request, const WebSocketOptions& options);

/// The value of Sec-WebSocket-Accept (RFC 6455 4.2.2).
std::string accept_of(std::string_view key);

}  // namespace weir::web::ws
