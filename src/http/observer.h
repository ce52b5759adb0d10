#pragma once

#include <cstdint>

#include "weir/base/now.h"
#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::http {

/// What became of one request, for the access log and the metrics.
struct Answered {
    const Request* request;  // null where the request could not be read
    const Origin& origin;
    Status status;
    Outcome outcome;
    std::uint64_t content_bytes;  // that were sent
    Instant began;                // when the request's first byte was received
    Now now;
};

/// Told once about each answer, by the thread that drives the connection. Must not block.
class Observer {
   public:
    virtual void answered(const Answered& answered) noexcept = 0;

   protected:
    ~Observer() = default;
};

}  // namespace weir::http
