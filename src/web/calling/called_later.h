#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "weir/http/handler.h"

namespace weir::web::detail {

/// Calls a handler for a request whose first handler has replied `Later`, for the continuation of
/// that one. The handler may do the same as if a connection called it: read the content in its two
/// ways, respond later, leave a continuation.
class CalledLater {
   public:
    /// `handler` must outlive this object.
    CalledLater(http::Handler& handler, std::shared_ptr<const http::Request> request) noexcept
        : handler_{handler}, request_{std::move(request)} {}

    // The members of a continuation. The first call of resume() calls the handler.
    http::Reply resume();
    Instant due() const noexcept { return inner_ ? inner_->due() : never; }
    std::size_t bytes() const noexcept { return inner_ ? inner_->bytes() : 0; }
    std::optional<http::Response> refused(http::Status status, std::string_view reason);
    bool ends_with_peer() const noexcept { return inner_ && inner_->ends_with_peer(); }
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
    /// The state of the handler's sink, which the connection owns.
    std::shared_ptr<Pause> pause_{};
    State state_ = State::begins;
};

}  // namespace weir::web::detail
