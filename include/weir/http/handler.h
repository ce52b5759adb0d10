#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::http {

/// Takes the content of a request as it arrives. The thread that drives the connection makes all
/// calls, one at a time.
class Sink {
   public:
    enum class Taken : std::uint8_t {
        more,    // call take() again when more arrives
        paused,  // the sink has these bytes; do not call take() again before Waker::wake()
        failed,  // the peer gets a 500 and the connection closes
    };
    virtual ~Sink() = default;
    /// `bytes` are the next part of the content, decoded. They are borrowed for the call.
    virtual Taken take(std::string_view bytes) = 0;
    /// The content ends early: the peer has gone, sent malformed content, or was too slow. The
    /// handler is not called again.
    virtual void cut() noexcept {}
};

/// Asks the server to collect the content, up to Limits::content_bytes_max, and then to call the
/// handler again with it in Request::content().
struct ReadContent {};
/// Asks the server to give the content to `sink` as it arrives, and then to call the handler again.
/// The connection owns the sink.
struct StreamContent {
    std::unique_ptr<Sink> sink;
};
/// Says that the answer comes later, through Request::defer().
struct Later {};

using Reply = std::variant<Response, ReadContent, StreamContent, Later>;

/// Answers requests. One object serves every connection; an engine may call it on several threads
/// at once. An exception that leaves handle() becomes a 500. If the engine runs handlers on its
/// event loops, the loop serves no other connection until handle() returns.
class Handler {
   public:
    virtual ~Handler() = default;
    virtual Reply handle(const Request& request) = 0;
};

/// The obligation to answer a request later. Any thread may use it, one at a time. respond() may be
/// called once. If a Deferred is destroyed before that, the peer gets a 500.
class Deferred {
   public:
    Deferred(std::shared_ptr<Postbox> postbox, Ticket ticket) noexcept
        : postbox_{std::move(postbox)}, ticket_{ticket} {}
    Deferred(Deferred&&) noexcept = default;
    Deferred& operator=(Deferred&&) = delete;
    ~Deferred();

    void respond(Response response);

   private:
    std::shared_ptr<Postbox> postbox_;  // null after respond()
    Ticket ticket_;
};

/// Tells the server that a paused source or sink can go on. Any thread may call wake(), at any time
/// and any number of times. After the connection has closed, the call does nothing.
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
