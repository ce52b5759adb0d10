#pragma once

#include <string_view>

#include "http/http2/session.h"

namespace weir::http::http2 {

/// Another protocol on a stream, after an extended CONNECT (RFC 8441). Bytes that the tunnel does not
/// take are held, and not granted to the peer: at most a window.
class TunnelStream {
   public:
    /// The stream is in the phase `tunnel`.
    TunnelStream(Session& session, Stream& stream) noexcept : session_{session}, stream_{stream} {}

    void begin();
    void take(std::string_view bytes);
    void end_input();
    /// The tunnel has no output. It may have some after more input; otherwise it waits for its own
    /// deadline.
    Content::State pump();

   private:
    std::string_view feed(std::string_view bytes);
    void feed_held();

    Session& session_;
    Stream& stream_;
};

}  // namespace weir::http::http2
