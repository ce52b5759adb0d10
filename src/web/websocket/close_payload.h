#pragma once

#include <string>
#include <string_view>

#include "weir/web/websocket.h"

namespace weir::web::ws {

/// The content of a close frame (RFC 6455 5.5.1).
struct ClosePayload {
    CloseCode code = CloseCode::none;
    std::string_view reason{};
};

/// True if a peer may send this code (RFC 6455 7.4 and the registry of IANA).
bool may_be_sent(CloseCode code) noexcept;

/// Sets `close` to views of `payload`. False if the payload is malformed: then `close.code` is the
/// code with which the socket fails.
bool read_close(std::string_view payload, ClosePayload& close) noexcept;

/// Empty for CloseCode::none. A reason that is too long is cut between two characters.
std::string close_payload(CloseCode code, std::string_view reason);

}  // namespace weir::web::ws
