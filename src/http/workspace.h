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

/// What a protocol, or a layer (see http/layer.h), keeps for all its connections of a thread.
struct ThreadParts {
    ThreadParts() = default;
    virtual ~ThreadParts() = default;
    ThreadParts(const ThreadParts&) = delete;
    ThreadParts& operator=(const ThreadParts&) = delete;
};

/// What the connections of one thread share, one of them at a time: everything that a connection
/// needs only while it is being driven. An idle connection owns none of it. One per loop, or per
/// thread where each connection has a thread. Lives longer than its connections.
class Workspace {
   public:
    Workspace(const Limits& connection_limits, const Timeouts& connection_timeouts,
              Observer* answers_observer = nullptr)
        : limits{connection_limits}, timeouts{connection_timeouts}, observer{answers_observer} {}

    const Limits& limits;
    const Timeouts& timeouts;
    Observer* const observer;  // may be null
    /// May be null. Set by whoever makes the connections, before the first of them.
    ConnectionObserver* connections = nullptr;
    /// Of the program's code. The same holds for it.
    FailureObserver* failures = nullptr;
    /// What all connections together may keep outside of their workspaces. The same holds for it.
    Budget* memory = nullptr;
    RequestSlot request;  // the request being read
    OutputBuffer output;  // rendered answers that are not sent yet
    // Made by a protocol of many streams, and by a layer, for the first connection of each.
    std::unique_ptr<ThreadParts> streams;
    std::unique_ptr<ThreadParts> layer;

    /// Rendered anew once a second; null for second 0, which stands for "no clock" (RFC 9110 6.6.1).
    const DateLine* date_line(std::int64_t unix_seconds) noexcept {
        if (unix_seconds != date_second_) render_date_line(unix_seconds);
        return unix_seconds == 0 ? nullptr : &date_line_;
    }

   private:
    void render_date_line(std::int64_t unix_seconds) noexcept;

    std::int64_t date_second_ = 0;
    DateLine date_line_{};
};

}  // namespace weir::http
