#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "weir/web/refusal.h"

namespace weir::web {

/// The failure of a request to another server. As a Refusal, it is the response of this server
/// (502, 503 or 504), if the coroutine does not catch it. The text is for the peer: it does not
/// name the other server.
class ClientError : public Refusal {
   public:
    enum class Reason : std::uint8_t {
        no_address,   // the name of the server has none
        unreachable,  // no connection to the server, or no descriptor for one
        busy,         // too many requests wait for a connection
        insecure,     // the server has no certificate to be trusted for its host
        closed,       // the server closed the connection too early
        malformed,    // the response is not HTTP/1.x, or could be read in two ways
        too_large,    // the head of the response, or more content than all() may collect
        timed_out,    // after a time of ClientOptions
        redirected,   // too often, or to a URL that is none of http
        stopped,      // this server stops
        out_of_memory,
    };

    ClientError(Reason reason, http::Status status, std::string_view sentence, std::string url)
        : Refusal{status, std::string{sentence}}, url_{std::move(url)}, reason_{reason} {}

    Reason reason() const noexcept { return reason_; }
    /// The URL of the request, after redirects.
    const std::string& url() const noexcept { return url_; }

   private:
    std::string url_;
    Reason reason_;
};

}  // namespace weir::web
