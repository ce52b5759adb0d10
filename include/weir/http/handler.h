#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
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
    /// `bytes` are the next part of the content, decoded, and borrowed for the call.
    virtual Taken take(std::string_view bytes) = 0;
    /// The content ends early: the peer has gone, sent malformed content, or was too slow. The
    /// handler is not called again.
    virtual void cut() noexcept {}
};

/// Asks the server to collect the content, and then to call the handler again with it in
/// Request::content().
struct ReadContent {
    /// Longer content is a 413. 0: Limits::content_bytes_max.
    std::uint64_t bytes_max = 0;
};
/// Asks the server to give the content to `sink` as it arrives, and then to call the handler again.
/// The connection owns the sink.
struct StreamContent {
    std::unique_ptr<Sink> sink;
    std::uint64_t bytes_max = 0;  // as above. 0: no limit
};
/// Sends a 103 (RFC 8297) with field lines "Name: value\r\n"..., which the response is going to
/// have. Clients of HTTP/1.0 get none (RFC 9110 15.2). Only a Continuation replies with it.
struct EarlyHints {
    std::string lines;
    Status status = Status::early_hints;  // of another server: any 1xx but 100 and 101
};
struct Later;

using Reply = std::variant<Response, ReadContent, StreamContent, EarlyHints, Later>;

/// Goes on with a request after its handler has returned: for example, a coroutine. The thread that
/// drives the connection makes all calls, one at a time. No call may block. The connection owns the
/// continuation until the request has a response or has ended.
class Continuation {
   public:
    virtual ~Continuation() = default;
    /// The connection calls resume() when it gets the continuation, after each Waker::wake(), at
    /// due(), when the sink has paused, and when the requested content has arrived. Calls without a
    /// reason are possible. The reply is one of these:
    /// - Response: the response, also if content has not arrived yet. No further call follows.
    /// - ReadContent or StreamContent, once, while Request::content_pending(). When the content has
    ///   arrived, the connection calls resume() and not the handler.
    /// - StreamContent without a sink: the sink that has paused takes more.
    /// - EarlyHints: the connection sends them, and calls resume() again.
    /// - Later, without a continuation: none of these yet.
    /// If resume() throws, the peer gets a 500; see Failure.
    virtual Reply resume() = 0;
    /// The latest time for the next resume(), by the clock of Postbox::now(). The connection calls
    /// due() after each resume().
    virtual Instant due() const noexcept { return never; }
    /// The memory that it keeps for the request, in bytes. It counts towards the memory limit of
    /// all connections, as Source::bytes() does.
    virtual std::size_t bytes() const noexcept { return 0; }
    /// The peer has shut down its side of the connection, as a client does that leaves. TCP does not
    /// tell whether it still reads. True: the request ends with cut(), unless Limits::half_close is
    /// set. False: the response is made and sent.
    virtual bool ends_with_peer() const noexcept { return false; }
    /// The connection responds in place of the continuation: the content is too long (413) or comes
    /// too slowly (408), or the time for the handler is over (503). Returns the response, or
    /// nothing for a small page with `reason`, a sentence without its full stop. cut() follows.
    virtual std::optional<Response> refused(Status /*status*/, std::string_view /*reason*/) {
        return std::nullopt;
    }
    /// The request has ended in another way: the peer has gone or sent malformed content, the time
    /// for the handler is over, or the server stops. No further call follows. If a reply never
    /// reaches its connection, its continuation is destroyed without this call.
    virtual void cut() noexcept {}
};

/// Announces a later response: from `continuation`, if there is one, or through Request::defer().
struct Later {
    std::unique_ptr<Continuation> continuation{};
};

/// Thrown by a handler, or a continuation, that has a response for its own failure. The server logs
/// it, and the peer gets the response.
struct Failure final : std::exception {
    /// `happened` is static text: "the handler threw an exception". `why` may be null.
    Failure(const char* happened, std::exception_ptr why, Response its) noexcept
        : text{happened},
          cause{std::move(why)},  // NOLINT(bugprone-throw-keyword-missing): a member
          response{std::move(its)} {}
    const char* what() const noexcept override { return text; }

    const char* text;
    std::exception_ptr cause;
    Response response;
};

/// Answers requests. One object serves every connection; an engine may call it on several threads
/// at once. An exception that leaves handle() becomes a 500, or the response of a Failure. If the
/// engine runs handlers on its event loops, the loop serves no other connection until handle()
/// returns.
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
    /// The time by the clock of the connection's engine.
    Instant now() const noexcept { return postbox_->now(); }
    /// For connections that the same thread is to drive (Postbox::adopt()).
    const std::shared_ptr<Postbox>& postbox() const noexcept { return postbox_; }

   private:
    std::shared_ptr<Postbox> postbox_;
    Ticket ticket_;
};

}  // namespace weir::http
