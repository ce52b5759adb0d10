#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/client/exchange.h"
#include "upstream/byte_queue.h"
#include "weir/http/handler.h"

namespace weir::upstream {

using http::client::Answered;
using http::client::Failure;
using http::client::Outgoing;

/// One request to another server and its response, between the code that asked (the user) and the
/// connection that carries both. The sides may be on two threads; each call takes a lock.
class SharedExchange final : public http::client::Exchange {
   public:
    /// `user` is woken when look() has something new.
    SharedExchange(Outgoing request, http::Waker user)
        : request_{std::move(request)}, user_{std::move(user)} {}

    const Outgoing& request() const noexcept override { return request_; }

    // ---- for the user ----

    struct Seen {
        Failure failure = Failure::none;
        bool has_hints = false;
        bool has_head = false;
        bool has_bytes = false;  // of the content of the response
        bool has_ended = false;  // no more bytes follow those
        bool takes_content = false;
        bool was_sent = false;   // some bytes of the request have left
        bool has_begun = false;  // on a connection
    };
    /// The user is woken again after the next change.
    Seen look() noexcept;

    /// Appends to the content of the request, even if takes_content is false.
    void put(std::string_view content);
    void end_content() noexcept;
    /// After a failure before a response, if nothing was sent, or if the request has no content: it
    /// can be given to another connection.
    void restart() noexcept;
    /// The user wants no more of it. The connection closes, unless the exchange has ended: that of
    /// a tunnel has two ends.
    void cancel() noexcept;

    /// After has_hints, once. Those of a server that sends many at once are lost but for the last.
    Answered take_hints();
    /// After has_head: constant.
    const Answered& answer() const noexcept { return answer_; }
    /// For the user alone: it has stopped until takes_content is true.
    bool waits_for_room = false;
    /// Reads content of the response.
    std::size_t read(std::span<char> into) noexcept;
    /// Moves all content of the response that is there into `into`, which gives its memory.
    void take(std::string& into) noexcept;
    /// After has_ended: the field lines of the trailer section.
    std::string_view trailers() const noexcept { return trailers_; }

    // ---- for the connection ----

    void begin(http::Waker carrier) noexcept override;
    Wanted wanted() noexcept override;
    void take_content(std::string& into) noexcept override;
    void note_sent() noexcept override;
    void hint(Answered&& head) override;
    void answer(Answered&& head) override;
    void deliver(std::string_view bytes) override;
    void end(std::string trailers) noexcept override;
    /// Does nothing after end().
    void fail(Failure failure) noexcept override;

   private:
    void wake_user() noexcept;
    void wake_carrier() noexcept;

    const Outgoing request_;
    const http::Waker user_;
    std::mutex mutex_;
    std::optional<http::Waker> carrier_;
    ByteQueue up_;
    ByteQueue down_;
    std::optional<Answered> hints_;
    Answered answer_;
    std::string trailers_;
    Failure failure_ = Failure::none;
    bool was_sent_ = false;
    bool has_head_ = false;
    bool down_ended_ = false;
    bool up_ended_ = false;
    bool is_canceled_ = false;
    // A side that was woken is not woken again before it has looked.
    bool user_knows_ = true;
    bool carrier_knows_ = true;
};

}  // namespace weir::upstream
