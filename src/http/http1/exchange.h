#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/http1/session.h"
#include "http/syntax/fault.h"

// The request in hand: each function is an event, from the host or from the peer, and may end the
// request.

namespace weir::http::http1 {

/// Whether the request's content is read on after its continuation was resumed.
enum class Going : std::uint8_t {
    waits,
    reads_on,  // the sink takes more
    moved_on,  // there is a response, or content is wanted: the phase has changed
};

/// The handler's reply.
void respond(Session& session, Reply&& reply, Now now);
/// A paused source, sink or continuation may go on.
void wake(Session& session, Now now);
/// Refuses the request with the response for `fault`. The connection ends after it.
void refuse(Session& session, Fault fault, Now now);

/// Resumes the continuation, unless earlier bytes are still being sent, which must not move. In that
/// case it runs once they are sent.
void go_on(Session& session, Now now);
Going poll_continuation(Session& session, Now now);
/// Whether the deadline that has passed was that of Session::wake_at().
bool is_resumed(Session& session, Now now);

/// Passes on content. False if the request has its response.
bool deliver(Session& session, std::string_view data, Now now);
void end_content(Session& session, std::string trailers, Now now);

}  // namespace weir::http::http1
