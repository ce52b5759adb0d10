#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "http/content/user_code.h"
#include "http/frames/closed_streams.h"
#include "http/frames/output_queue.h"
#include "http/frames/receive_window.h"
#include "http/http2/bounds.h"
#include "http/http2/http2_states.h"
#include "http/http2/http2_stream.h"
#include "http/http2/peer_settings.h"
#include "http/http2/turns.h"
#include "http/workspace.h"

namespace weir::http::http2 {

/// The streams of one connection, and the state that they share. The functions move a stream from phase
/// to phase, and end it.
class Session {
   public:
    Session(Workspace& of_thread, Origin& of_peer, Now first, const Bounds& for_peer);

    /// The one place where the phase and the timer of a stream change.
    template <Event event>
    void on(Stream& stream, Instant at_latest = never) noexcept;
    /// Computes the stream's deadline again.
    void hasten(Stream& stream) noexcept;
    /// The stream may have output.
    void queue(Stream& stream);
    /// Lets the source go on once the kernel has all of its output.
    void wake_source(Stream& stream);

    /// `bytes` were consumed: the peer may send as many again. WINDOW_UPDATE frames grant them in
    /// large steps.
    void grant(Stream& stream, std::size_t bytes);
    /// The same for the connection alone: the stream is over.
    void grant(std::size_t bytes);
    /// Discards content that is not used.
    void forget_held(Stream& stream);

    /// Ends the stream by a RST_STREAM frame.
    void reset(Stream& stream, ErrorCode code, Outcome outcome);
    void end(Stream& stream, Outcome outcome);
    /// The requests that were read since the last call are under way, for an observer that counts them.
    void report_begun() noexcept;
    /// Tells the observer of the end of a request: of its response, if there is one.
    void report(const Stream& stream, Outcome outcome) noexcept {
        if (workspace.observer != nullptr && stream.phase <= Phase::rendered)
            tell_end(stream, outcome);
    }
    /// The connection ends, and all of its streams with it. Their memory stays: the kernel may still be
    /// sending a file of theirs.
    void abandon_all(Outcome why) noexcept;
    /// Removes a stream that no handler has any more, and whose file is not being sent.
    void remove_if_over(const Stream& stream);

    /// Null if the stream is over, or never was.
    Stream* find_awaited(StreamId id) const noexcept {
        Stream* const stream = streams.find(id);
        return stream != nullptr && stream->is_awaited() ? stream : nullptr;
    }
    UserCode user_code(const Stream& stream) const noexcept {
        return {workspace.failures, stream.slot.request()};
    }
    OutputBuffer& replies() { return output.replies(); }

    Workspace& workspace;
    Origin& origin;
    const Bounds bounds;
    Now now;  // of the current call, or the last one

    StreamTable streams;
    std::vector<StreamId> ready;  // for take_request(), in order
    Turns turns;
    ClosedStreams closed;
    OutputQueue output;
    std::int64_t send_window = first_window;
    ReceiveWindow receive_window;
    PeerSettings peer;
    Tolerance tolerance;
    Instant streams_due = never;  // at most the earliest deadline of the streams
    std::uint32_t requests = 0;
    std::uint32_t requests_begun = 0;  // of them, those that the observer knows of
    bool heeds_requests;               // new requests matter to the observer or to the stop
    bool is_last_answer = false;       // the connection is to end after an answer
    bool input_ended = false;
    bool retired = false;
    bool closing = false;  // no input is read; the connection ends after its output

   private:
    void abandon(Stream& stream, Outcome why) noexcept;
    void tell_end(const Stream& stream, Outcome outcome) noexcept;
};

template <Event event>
void Session::on(Stream& stream, Instant at_latest) noexcept {
    const exchange::Move move = exchange::http2::table.move<event>(stream.phase);
    stream.phase = move.to;
    if (!move.timer.is_set) return;
    stream.timer = move.timer.value;
    stream.timer_by =
        std::min(exchange::due(workspace.timeouts, stream.timer, now.instant), at_latest);
    hasten(stream);
}

inline void Session::hasten(Stream& stream) noexcept {
    stream.deadline = std::min(stream.timer_by, stream.wake_at());
    streams_due = std::min(streams_due, stream.deadline);
}

inline void Session::queue(Stream& stream) {
    if (stream.is_sending()) turns.add(stream);
}

inline void Session::forget_held(Stream& stream) {
    if (stream.held.empty()) [[likely]]
        return;
    grant(std::exchange(stream.held, {}).size() - std::exchange(stream.held_begin, 0));
}

inline void Session::remove_if_over(const Stream& stream) {
    if (stream.is_awaited() || stream.at_handler || output.file_stream() == stream.id) return;
    streams.remove(stream);
}

}  // namespace weir::http::http2
