#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "weir/http/handler.h"

namespace weir::access {

/// Calls a handler for a request whose first handler has replied `Later`: for the continuation of that
/// one. The handler may do all that it may when a connection calls it: read the content in its two
/// ways, answer later, leave a continuation.
class CalledLater {
   public:
    /// `handler` must outlive it.
    CalledLater(http::Handler& handler, std::shared_ptr<const http::Request> request) noexcept
        : handler_{handler}, request_{std::move(request)} {}

    // As those of the continuation. The first call of resume() calls the handler.
    http::Reply resume();
    Instant due() const noexcept { return inner_ ? inner_->due() : never; }
    void cut() noexcept {
        if (inner_) inner_->cut();
    }

   private:
    enum class State : std::uint8_t { begins, reads, answers_later };
    class NotedSink;
    enum class Pause : std::uint8_t { none, begun, known };

    http::Reply call();
    http::Reply read_on();

    http::Handler& handler_;
    const std::shared_ptr<const http::Request> request_;
    std::unique_ptr<http::Continuation> inner_{};
    /// Of the handler's sink, which the connection owns.
    std::shared_ptr<Pause> pause_{};
    State state_ = State::begins;
};

}  // namespace weir::access
