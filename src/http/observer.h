#pragma once

#include <cstdint>

#include "weir/base/now.h"
#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::http {

/// The end of one request, for the access log and the metrics.
struct Answered {
    const Request* request;  // null if the request could not be read
    const Origin& origin;
    Status status;
    Outcome outcome;
    std::uint64_t content_bytes;  // sent bytes of the content
    Instant began;                // when the request's first byte was received
    Now now;
    std::uint32_t microseconds = 0;  // of the second now.unix_seconds; 0 if unknown
};

/// Receives one report about each response. The thread that drives the connection makes the calls.
/// They must not block.
class Observer {
   public:
    virtual void answered(const Answered& answered) noexcept = 0;

    /// Whether the observer counts the requests under way: without it, no request pays for the two
    /// calls below. The result is always the same.
    virtual bool counts_active() const noexcept { return false; }
    /// The heads of so many requests were read. Each request ends with answered(), which names the
    /// request, or with dropped().
    virtual void begun(std::uint32_t /*requests*/) noexcept {}
    /// A request has ended without a response.
    virtual void dropped() noexcept {}

   protected:
    ~Observer() = default;
};

}  // namespace weir::http
