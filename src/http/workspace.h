#pragma once

#include <cstdint>
#include <memory>

#include "base/budget.h"
#include "http/answer/output_buffer.h"
#include "http/answer/render.h"
#include "http/connection_observer.h"
#include "http/content/failure_observer.h"
#include "http/observer.h"
#include "http/request_slot.h"
#include "weir/http/limits.h"

namespace weir::http {

/// Memory that a protocol, or a layer (see http/layer.h), keeps for all its connections of a
/// thread.
struct ThreadParts {
    ThreadParts() = default;
    virtual ~ThreadParts() = default;
    ThreadParts(const ThreadParts&) = delete;
    ThreadParts& operator=(const ThreadParts&) = delete;
};

/// Memory that the connections of one thread share: a connection needs it only while it is driven,
/// so one at a time uses it, and an idle connection owns none of it. Each loop has a workspace, or
/// each thread if each connection has a thread. A workspace outlives its connections.
class Workspace {
   public:
    Workspace(const Limits& connection_limits, const Timeouts& connection_timeouts,
              Observer* answers_observer = nullptr)
        : limits{connection_limits},
          timeouts{connection_timeouts},
          observer{answers_observer},
          counts_active{observer != nullptr && observer->counts_active()} {}

    const Limits& limits;
    const Timeouts& timeouts;
    Observer* const observer;  // may be null
    const bool counts_active;  // there is an observer, which counts the requests under way
    // The next three may be null. The part that makes the connections sets them before the first.
    ConnectionObserver* connections = nullptr;
    FailureObserver* failures = nullptr;  // of the program's code
    Budget* memory =
        nullptr;          // for all connections together, outside of their workspaces; in bytes
    RequestSlot request;  // the request being read
    OutputBuffer output;  // rendered responses that are not sent yet
    // A protocol of many streams makes the first, and a layer the second, for its first connection.
    std::unique_ptr<ThreadParts> streams;
    std::unique_ptr<ThreadParts> layer;

    /// Renders the line once a second. Null for second 0, which stands for "no clock" (RFC 9110
    /// 6.6.1).
    const DateLine* date_line(std::int64_t unix_seconds) noexcept {
        if (unix_seconds != date_second_) render_date_line(unix_seconds);
        return unix_seconds == 0 ? nullptr : &date_line_;
    }

    /// Of a response, which may have a date of its own.
    const DateLine* date_line(const Response& response, Now now) noexcept {
        return date_line(response.date() != 0 ? response.date() : now.unix_seconds);
    }

   private:
    void render_date_line(std::int64_t unix_seconds) noexcept;

    std::int64_t date_second_ = 0;
    DateLine date_line_{};
};

}  // namespace weir::http
