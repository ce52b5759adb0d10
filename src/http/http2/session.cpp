#include "http/http2/session.h"

#include <utility>

#include "http/frames/frame.h"

namespace weir::http::http2 {

Session::Session(Workspace& of_thread, Origin& of_peer, Now first, const Bounds& for_peer)
    : workspace{of_thread},
      origin{of_peer},
      bounds{for_peer},
      now{first},
      streams{StreamPool::of(of_thread)},
      output{of_thread.output},
      receive_window{for_peer.connection_window},
      tolerance{for_peer},
      heeds_requests{of_thread.counts_active} {}

void Session::wake_source(Stream& stream) {
    stream.source_woken = stream.content_sent != stream.content_rendered;
    if (stream.source_woken) return;
    stream.content->wake();
    if (stream.phase == Phase::stalled) on<Event::woken>(stream);
    queue(stream);
}

void Session::grant(Stream& stream, std::size_t bytes) {
    const std::uint32_t opened = stream.receive_window.give_back(bytes, bounds.stream_window);
    if (opened != 0 && !stream.peer_ended) append_window_update(replies(), stream.id, opened);
    grant(bytes);
}

void Session::grant(std::size_t bytes) {
    const std::uint32_t opened = receive_window.give_back(bytes, bounds.connection_window);
    if (opened != 0 && !closing) append_window_update(replies(), 0, opened);
}

// ---- the end of a stream ----

void Session::reset(Stream& stream, ErrorCode code, Outcome outcome) {
    append_reset(replies(), stream.id, code);
    end(stream, outcome);
}

void Session::end(Stream& stream, Outcome outcome) {
    using End = ClosedStreams::End;
    turns.remove(stream);
    if (!ready.empty()) std::erase(ready, stream.id);
    forget_held(stream);
    abandon(stream, outcome);
    closed.add(stream.id, stream.peer_ended ? End::peer_ended : End::was_reset);
    remove_if_over(stream);
}

void Session::abandon_all(Outcome why) noexcept {
    for (const auto& stream : streams) abandon(*stream, why);
    ready.clear();
    turns.clear();
}

/// The source, sink and continuation of the stream get the outcome. Its memory stays.
void Session::abandon(Stream& stream, Outcome why) noexcept {
    if (stream.is_awaited()) {
        report(stream, why);
        on<Event::closes>(stream);
    }
    stream.end(why);
}

void Session::report_begun() noexcept {
    const std::uint32_t before = std::exchange(requests_begun, requests);
    if (workspace.counts_active && requests != before) workspace.observer->begun(requests - before);
}

[[gnu::noinline]] void Session::tell_end(const Stream& stream, Outcome outcome) noexcept {
    if (workspace.counts_active) report_begun();  // a request may end in the call that reads it
    // A report of a request that could not be read does not name it.
    if (!stream.has_answer() || !stream.is_known) workspace.observer->dropped();
    if (!stream.has_answer()) return;
    workspace.observer->answered({.request = stream.is_known ? &stream.slot.request() : nullptr,
                                  .origin = origin,
                                  .status = stream.status,
                                  .outcome = outcome,
                                  .content_bytes = stream.content_sent,
                                  .began = stream.slot.began,
                                  .now = now});
}

}  // namespace weir::http::http2
