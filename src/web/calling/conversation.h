#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "web/calling/errors.h"
#include "weir/http/handler.h"
#include "weir/web/call.h"

namespace weir::web::detail {

/// A request whose response comes later. Its Call, which may be on any thread, shares the
/// conversation with the continuation on the connection's thread. Members without another note are
/// for the connection's thread, and for the handler before it returns.
class Conversation {
   public:
    /// Shares the request that `of` names.
    explicit Conversation(CallState&& of);
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    // Any thread.

    CallState& call() noexcept { return call_; }
    const http::Request& request() const noexcept { return *request_; }
    const http::Waker& waker() const noexcept { return waker_; }
    const std::string& peer_address() const noexcept { return peer_address_; }
    std::stop_token stop_token() const noexcept { return stop_.get_token(); }

    /// Sets the response of a callback. The first one counts.
    void respond(http::Response&& response) noexcept;
    /// Called when the call is destroyed, with or without a response.
    void drop() noexcept;

    // The connection's thread.

    /// For a route that does not live as long as its router.
    void keep(std::shared_ptr<const void> owner) noexcept { owner_ = std::move(owner); }
    std::shared_ptr<const http::Request> shared_request() const noexcept { return request_; }

    /// A failure for the log, whose response has become another one's. The first one counts.
    struct Noted {
        const char* what;  // static
        std::exception_ptr cause;
    };
    void note(Noted failure) {
        if (!failure_) failure_ = std::move(failure);
    }
    std::optional<Noted> take_failure() noexcept { return std::exchange(failure_, std::nullopt); }

    /// The response from respond(), once.
    std::optional<http::Response> take_answer() noexcept;
    /// True after drop() without a response.
    bool is_dropped() noexcept;
    bool has_answer() noexcept;
    /// Ignores all later responses.
    void close() noexcept;
    /// Stops the call's token, because the request ends without its response.
    void stop() noexcept { stop_.request_stop(); }

    // The end of what is within middleware that waits for it.

    /// Asks the innermost next() to end what is within, and to return the response to `cause`.
    void refuse(const Cause& cause) { cause_ = cause; }
    bool is_refused() const noexcept { return cause_.has_value(); }
    Cause take_refusal() noexcept { return *std::exchange(cause_, std::nullopt); }

    // The content on its way to a coroutine.

    enum class Asked : unsigned char { nothing, pieces, all };
    void ask(Asked for_what);
    bool has_piece() const noexcept { return has_piece_; }
    bool is_at_end() const noexcept { return !request_->content_pending() && !has_piece_; }
    std::string_view take_piece() noexcept;
    void give_piece(std::string_view bytes);
    /// A reply of the handler that a coroutine waits for.
    void reply(http::Reply&& reply) { reply_ = std::move(reply); }
    bool has_reply() const noexcept { return reply_.has_value(); }
    /// Field lines for a 103. Those of several coroutines go together.
    void hint(std::string_view lines) { hints_ += lines; }
    /// True while the peer is to send content that the handler has asked for.
    bool is_content_coming() const noexcept {
        return is_asked_for_ && !has_piece_ && request_->content_pending();
    }
    bool has_hints() const noexcept { return !hints_.empty(); }
    /// The continuation's reply while its coroutine waits for content, or for a reply() or hint() to
    /// be taken.
    http::Reply content_reply(const std::shared_ptr<Conversation>& self);

   private:
    void set_result(std::optional<http::Response>&& response) noexcept;

    CallState call_;
    std::shared_ptr<const http::Request> request_;
    http::Waker waker_;
    std::string peer_address_;
    std::stop_source stop_;

    std::string piece_;  // valid until the next piece is asked for
    std::optional<http::Reply> reply_{};
    std::string hints_{};
    std::optional<Noted> failure_{};
    std::optional<Cause> cause_{};
    std::shared_ptr<const void> owner_{};

    bool has_piece_ = false;
    bool is_asked_for_ = false;  // the connection knows of it
    Asked asked_ = Asked::nothing;

    std::mutex mutex_;
    std::optional<http::Response> answer_;  // guarded by the mutex, like the next two
    bool is_dropped_ = false;
    bool is_closed_ = false;
};

}  // namespace weir::web::detail
