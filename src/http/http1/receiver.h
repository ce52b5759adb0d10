#pragma once

#include <string_view>

#include "http/http1/session.h"

// From bytes to requests: heads, and the content that a handler asked for.

namespace weir::http::http1 {

/// Bytes of a head, or of content.
void receive(Session& session, std::string_view bytes, Now now);
/// Adds bytes to the input. They are copied only behind an unfinished part.
void take_in(Session& session, std::string_view bytes);
/// There is input, and the response to the request before is rendered.
void read_head(Session& session, Now now);
/// Waits for more of a head.
void await_head(Session& session) noexcept;
/// There is neither input nor output: waits for the next request.
void await_request(Session& session, Now now) noexcept;
/// The peer has shut down its side, and a response is awaited.
void end_input(Session& session, Now now);
/// Passes on the content that the input has.
void read_content(Session& session, Now now);
/// Skips content that the handler did not ask for, if all of it is in the input. Otherwise false: the
/// next request is never looked for in content.
bool skip_content(Session& session);

}  // namespace weir::http::http1
