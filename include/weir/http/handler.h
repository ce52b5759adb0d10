#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::http {

/// Takes the content of a request as it arrives. Called by the thread that drives the connection.
class Sink {
   public:
    enum class Taken : std::uint8_t {
        more,    // ready for more
        paused,  // these bytes are taken; no more until Waker::wake()
        failed,  // answered 500, the connection closes
    };
    virtual ~Sink() = default;
    /// `bytes` are borrowed for the call.
    virtual Taken take(std::string_view bytes) = 0;
    /// The content was cut (peer gone, malformed, too slow); there will be no answer.
    virtual void cut() noexcept {}
};

/// Read the content, up to Limits::content_bytes_max, then call the handler again with it.
struct ReadContent {};
/// Give the content to `sink` as it arrives, then call the handler again.
struct StreamContent {
    std::unique_ptr<Sink> sink;
};
/// The answer comes through Request::defer().
struct Later {};

using Reply = std::variant<Response, ReadContent, StreamContent, Later>;

/// Answers requests. One object serves every connection: an engine may call it on several threads
/// at once. What it throws becomes a 500.
class Handler {
   public:
    virtual ~Handler() = default;
    virtual Reply handle(const Request& request) = 0;
};

/// The promise of a later answer. May be used by any thread, once. Where it goes out of scope
/// unanswered, the peer gets a 500.
class Deferred {
   public:
    Deferred(std::shared_ptr<Postbox> postbox, Ticket ticket) noexcept
        : postbox_{std::move(postbox)}, ticket_{ticket} {}
    Deferred(Deferred&&) noexcept = default;
    Deferred& operator=(Deferred&&) = delete;
    ~Deferred();

    void respond(Response response);

   private:
    std::shared_ptr<Postbox> postbox_;  // null once answered
    Ticket ticket_;
};

/// Says that a paused source or sink can go on. Any thread, any number of times; costs nothing
/// after the connection has gone.
class Waker {
   public:
    Waker(std::shared_ptr<Postbox> postbox, Ticket ticket) noexcept
        : postbox_{std::move(postbox)}, ticket_{ticket} {}
    void wake() const { postbox_->wake(ticket_); }

   private:
    std::shared_ptr<Postbox> postbox_;
    Ticket ticket_;
};

}  // namespace weir::http
