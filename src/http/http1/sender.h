#pragma once

#include <cstdint>
#include <optional>

#include "http/content/outgoing.h"
#include "http/http1/session.h"

// From responses to bytes, and on to the next request.

namespace weir::http::http1 {

/// Sends the response of a handler: decides whether the connection ends after it.
void answer(Session& session, Response&& response, Now now);
/// Renders the response, or begins to send its content. `request` is null before a head was read. Then
/// neither method nor version is known.
void send_response(Session& session, Response&& response, const Request* request, Now now);

/// Makes the content of the response the connection's.
void take_outgoing(Session& session, Response&& response, Delimiter delimiter,
                   std::optional<std::uint64_t> size);
/// Gathers small pieces as long as the source has them without a wait.
Outgoing::Pull gather(Session& session);
/// Takes the source's next content, or ends the response at its end.
void pull(Session& session, Now now, Instant at_latest = never);
void end_sending(Session& session, Outcome outcome, Now now);

Transmission transmission(Session& session) noexcept;
void transmitted(Session& session, std::uint64_t size, Now now);
/// Whether the peer has taken enough since the last check.
bool meets_min_rate(Session& session, std::uint64_t queued);
/// Sends the response for which no memory is needed.
void send_static_503(Session& session, Now now) noexcept;

}  // namespace weir::http::http1
