#pragma once

#include <string_view>

#include "http/http1/session.h"

// Another protocol, after an Upgrade (RFC 9110 7.8).

namespace weir::http::http1 {

/// The response to `request` has the status 101. It becomes a 500 where no other protocol may begin.
void begin_tunnel(Session& session, Response&& response, const Request& request, Now now);
/// Nothing is being sent. Passes the peer's bytes to the tunnel and renders the tunnel's output, as far
/// as both go.
void pump_tunnel(Session& session, Now now);
/// The same, unless bytes are being sent, which must not move.
void go_on_in_tunnel(Session& session, Now now);
/// All bytes were sent. The tunnel is asked again only if it may have more.
void go_on_behind_output(Session& session, Now now);
void receive_in_tunnel(Session& session, std::string_view bytes, Now now);
/// The output goes on: the peer may have shut down its sending side alone.
void end_input_of_tunnel(Session& session, Now now);

}  // namespace weir::http::http1
