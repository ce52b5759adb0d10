#include "http/http1/session.h"

#include <new>
#include <utility>

#include "http/answer/dropped.h"
#include "http/http1/retained.h"

namespace weir::http::http1 {

Session::Session(Workspace& of_thread, Origin& of_peer) noexcept
    : workspace{of_thread}, origin{of_peer}, heeds_requests{of_thread.counts_active} {}

Session::~Session() = default;

void Session::rest(Now now) { output().empty() ? wait(now) : on<Event::unsent>(now); }

void Session::wait(Now now) {
    on<Event::waits>(now, answer_by());
    if (!awaits_response()) return;
    if (input_ended && ends_with_peer()) return cut(Outcome::peer_gone, now);
    if (!input.empty() || input_ended) return on<Event::held>(now);
    if (needs_slot()) keep_slot();  // the next bytes come to the place of its head
}

bool Session::ends_with_peer() const noexcept {
    if (workspace.limits.half_close) return false;
    if (outgoing) return outgoing->ends_with_peer();
    return has_continuation() && retained->continuation->ends_with_peer();
}

bool Session::head_started() noexcept { return phase == Phase::head && slot().parser.started(); }

void Session::cut_continuation() noexcept {
    if (has_continuation()) std::exchange(retained->continuation, nullptr)->cut();
}

Instant Session::wake_at() const noexcept {
    if (outgoing) return outgoing->due();
    return has_continuation() ? retained->continuation->due() : never;
}

Instant Session::answer_by() const noexcept {
    const Instant answer_by = has_continuation() ? retained->answer_by : never;
    return std::min(answer_by, wake_at());
}

void Session::report(Status status, std::uint64_t content_bytes, Outcome outcome, Now now) {
    if (workspace.observer == nullptr) return;
    const bool understood = phase > Phase::head;
    workspace.observer->answered({.request = understood ? &slot().request() : nullptr,
                                  .origin = origin,
                                  .status = status,
                                  .outcome = outcome,
                                  .content_bytes = content_bytes,
                                  .began = phase == Phase::idle ? now.instant : slot().began,
                                  .now = now});
}

void Session::cut(Outcome why, Now now) {
    if (phase == Phase::closed) return;
    if (!outgoing) return close();
    report(outgoing->status(), outgoing->content_sent(), why, now);
    outgoing->done(why);
    leave();
}

void Session::close() noexcept {
    if (phase == Phase::closed) return;
    if (workspace.counts_active && has_unreported_request()) workspace.observer->dropped();
    leave();
}

/// Memory that the kernel may still be sending (retained->output, outgoing) lives as long as the
/// connection.
void Session::leave() noexcept {
    if (!retained || retained->output.empty()) workspace.output.clear();
    let_go();
    input = {};
    on<Event::closes>({});
}

void Session::note_request() noexcept {
    if (workspace.counts_active) workspace.observer->begun(1);
    if (retiring) mark_busy();
}

void Session::mark_busy() noexcept {
    if (!std::exchange(marked_busy, true) && workspace.connections) workspace.connections->busy();
}

void Session::keep_output() {
    output_lost = true;
    const std::string_view unsent = workspace.output.unsent();
    workspace.output.clear();  // the next connection's, also if this throws
    retain().output.append(unsent);
    output_lost = false;
}

bool Session::needs_slot() const noexcept {
    return (phase >= Phase::head && phase <= Phase::paused) ||
           (phase >= Phase::sending && phase <= Phase::tunnel_paused &&
            workspace.observer != nullptr);
}

void Session::keep_slot() {
    if (!retain().slot) {
        auto own = std::make_unique<RequestSlot>();  // if this throws, the request stays
        std::swap(*own, workspace.request);
        retained->slot = std::move(own);
    }
    if (phase != Phase::head) retained->slot->own();
}

void Session::charge() {
    const std::size_t of_outgoing = outgoing ? outgoing->own_bytes() : 0;
    if (!retained->share.resize(retained->bytes() + of_outgoing)) throw std::bad_alloc{};
}

void Session::let_go() noexcept {
    if (!retained) return;
    cut_continuation();
    if (retained->incoming) retained->incoming->content.cut();
    if (retained->early_reply)
        drop(std::move(*std::exchange(retained->early_reply, {})), Outcome::stopped);
    retained->incoming.reset();
    retained->slot.reset();
    std::string{}.swap(retained->input);  // an assignment would keep the memory
    retained->share.resize(retained->bytes());
}

}  // namespace weir::http::http1
