#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/content/content_in.h"
#include "http/frames/protocol.h"
#include "http/frames/receive_window.h"
#include "http/http2/http2_content.h"
#include "http/http2/http2_states.h"
#include "http/request_slot.h"
#include "http/workspace.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"

namespace weir::http::http2 {

using exchange::Event;
using exchange::Phase;
using exchange::Timer;

/// The plain values of a stream.
struct StreamState {
    StreamId id = 0;
    Phase phase = Phase::idle;
    Timer timer = Timer::none;
    Instant timer_by = never;  // the end of the timer
    Instant deadline = never;  // the same, or the earlier time of its continuation or its source
    Priority priority{};
    bool at_handler = false;  // a handler has the request, also if the stream is over
    bool is_known = true;     // the fields could be read
    bool peer_ended = false;  // the peer has ended its side of the stream
    bool may_tunnel = false;  // an extended CONNECT
    bool tunnel_knows_end = false;
    bool is_in_turn = false;    // there is output, or may be
    bool is_head_due = false;   // of the response
    bool source_woken = false;  // before the kernel has all of its output

    // Its content
    ReceiveWindow receive_window{0};
    std::uint32_t held_begin = 0;              // bytes of `held` that a tunnel has taken
    std::optional<std::uint64_t> announced{};  // its Content-Length

    // Its answer
    Status status = Status::ok;
    std::int64_t send_window = 0;
    std::uint64_t content_rendered = 0;
    std::uint64_t content_sent = 0;
    std::uint64_t content_looked_at = 0;  // bytes sent when the window's timer began
};

/// One request, from its fields to the last byte of its response.
struct Stream : StreamState {
    RequestSlot slot;
    std::string head;    // the request is a view of it
    std::string pseudo;  // the pseudo-fields, while the request is being made

    // Its content. `held` has the bytes that were not taken yet, at most a window.
    ContentIn content_in;
    std::string held;
    std::string trailers;

    std::optional<Content> content;              // of its response
    std::unique_ptr<Continuation> continuation;  // makes the response

    /// False if the stream is over, although a handler or a send still uses it.
    bool is_awaited() const noexcept { return phase != Phase::closed; }
    bool reads_content() const noexcept {
        return phase == Phase::content || phase == Phase::paused;
    }
    bool has_answer() const noexcept { return phase > Phase::paused; }
    /// Another protocol has the stream, and may still have output.
    bool is_tunnel() const noexcept { return phase == Phase::tunnel; }
    /// The content differs from its Content-Length.
    bool has_wrong_length() const noexcept {
        if (!announced) return false;
        return peer_ended ? content_in.received() != *announced
                          : content_in.received() > *announced;
    }
    /// The stream may have output.
    bool is_sending() const noexcept { return phase == Phase::sending || is_tunnel(); }
    /// Null if the response is none.
    Tunnel* tunnel() const noexcept { return content ? content->tunnel() : nullptr; }
    /// The time at which the continuation, or the source of the response, wants to be called.
    Instant wake_at() const noexcept {
        if (continuation) return continuation->due();
        return waits_for_source() ? content->due() : never;
    }
    /// The stream waits for code on this side, not for the peer. A tunnel waits for both.
    bool waits_for_this_side() const noexcept {
        return at_handler || phase == Phase::paused ||
               (waits_for_source() && phase != Phase::tunnel);
    }
    /// True if the stream waits for code that ends when the peer leaves.
    bool ends_with_peer() const noexcept {
        if (continuation) return continuation->ends_with_peer();
        return waits_for_source() && content->ends_with_peer();
    }
    /// A source is not called before the kernel has all of its output.
    bool waits_for_source() const noexcept {
        return content && content->waits_for_wake() && content_sent == content_rendered;
    }
    /// Its memory in bytes, with that of this object.
    std::size_t bytes() const noexcept {
        return sizeof *this + slot.bytes() + head.capacity() + pseudo.capacity() + held.capacity() +
               trailers.capacity() + (content ? content->own_bytes() : 0) +
               (continuation ? continuation->bytes() : 0);
    }
    /// The continuation makes no response any more.
    void cut_continuation() noexcept;
    /// Its source, sink and continuation get their last call.
    void end(Outcome why) noexcept;
    /// Ready for another request, with the memory of this one.
    void reset();
};

/// Closed streams, with their memory, for all connections of a thread: an idle connection keeps none.
class StreamPool final : public ThreadParts {
   public:
    /// The pool of the workspace. The first call makes it, and may throw std::bad_alloc.
    static StreamPool& of(Workspace& workspace);

    std::unique_ptr<Stream> take();
    void give_back(std::unique_ptr<Stream> stream);

   private:
    static constexpr std::size_t streams_max = 128;
    static constexpr std::size_t stream_bytes_max = 8 * 1024;

    std::vector<std::unique_ptr<Stream>> streams_;
};

/// The streams of a connection, by growing numbers.
class StreamTable {
   public:
    using Streams = std::vector<std::unique_ptr<Stream>>;

    explicit StreamTable(StreamPool& pool) noexcept : pool_{pool} {}

    Stream* find(StreamId id) const noexcept {
        const auto found = std::ranges::lower_bound(streams_, id, {}, id_of);
        return found != streams_.end() && (*found)->id == id ? found->get() : nullptr;
    }
    /// `id` is larger than all others.
    Stream& add(StreamId id);
    void remove(const Stream& stream);

    bool empty() const noexcept { return streams_.empty(); }
    std::size_t size() const noexcept { return streams_.size(); }
    Streams::const_iterator begin() const noexcept { return streams_.begin(); }
    Streams::const_iterator end() const noexcept { return streams_.end(); }

   private:
    static StreamId id_of(const std::unique_ptr<Stream>& stream) noexcept { return stream->id; }

    StreamPool& pool_;
    Streams streams_;
};

}  // namespace weir::http::http2
