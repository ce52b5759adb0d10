#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::server {

/// The end of one request; see Options::finished. Borrowed for the call of its function.
struct Finished {
    const http::Request* request;  // null: the server could not read it
    const http::Origin& origin;    // of the connection
    http::Status status;           // of the response
    http::Outcome outcome;         // anything but `sent`: the peer has not got the whole response
    std::uint64_t content_bytes;   // of the response, as many as were sent
    std::chrono::microseconds duration;  // from the request's first byte to the response's last one

    /// The peer's address: "192.0.2.7", "2001:db8::7" or "unix:".
    std::string peer() const {
        std::string address;
        origin.append_address(address);
        return address;
    }
};

}  // namespace weir::server
