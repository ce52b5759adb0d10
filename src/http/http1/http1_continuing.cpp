// Http1Connection: requests that go on after their handler has returned.

#include <algorithm>
#include <utility>

#include "http/http1/http1_connection.h"
#include "http/http1/http1_retained.h"

namespace weir::http {

bool Http1Connection::has_continuation() const noexcept {
    return retained_ && retained_->continuation;
}

void Http1Connection::start_continuation(Later&& later, Now now) {
    if (!later.continuation) return rest(now);
    retained().continuation = std::move(later.continuation);
    renew_answer_time(now);
    sends(step_) ? rest(now) : go_on(now);
}

/// Resumes the continuation, unless earlier bytes are still being sent, which must not move. In that
/// case it runs once they are sent.
void Http1Connection::go_on(Now now) {
    if (sends(step_)) return;
    switch (poll_continuation(now)) {
        case ContinuationResult::moved_on: return;
        case ContinuationResult::reads_on: return read_content(now);
        case ContinuationResult::waits:
            return phase_ == Phase::content ? read_content(now) : rest(now);
    }
}

/// Resumes the continuation once.
Http1Connection::ContinuationResult Http1Connection::poll_continuation(Now now) {
    return apply_continuation(user_code().resume(*retained_->continuation), now);
}

Http1Connection::ContinuationResult Http1Connection::apply_continuation(Reply&& reply, Now now) {
    if (auto* response = std::get_if<Response>(&reply)) {
        const auto finished =
            std::move(retained_->continuation);  // destroyed after its response was taken
        phase_ == Phase::handling ? answer(std::move(*response), now)
                                  : answer_early(std::move(*response), now);
        return ContinuationResult::moved_on;
    }
    if (std::holds_alternative<Later>(reply)) return ContinuationResult::waits;
    auto* stream = std::get_if<StreamContent>(&reply);
    if (phase_ == Phase::handling) {
        begin_content(stream && stream->sink ? &stream->sink : nullptr, now);
        return ContinuationResult::moved_on;
    }
    if (phase_ != Phase::paused) return ContinuationResult::waits;
    on<Event::woken>(now);
    return ContinuationResult::reads_on;
}

/// Responds before the end of the content. The rest of the content is not used.
void Http1Connection::answer_early(Response&& response, Now now) {
    retained_->incoming->content.cut();
    retained_->incoming.reset();
    ending_ = Ending::linger;
    on<Event::request_read>(now);
    output().empty() ? on<Event::taken>(now) : on<Event::taken_unsent>(now);
    answer(std::move(response), now);
}

/// The continuation's time counts from the handler's return, or from the last content.
void Http1Connection::renew_answer_time(Now now) noexcept {
    if (has_continuation())
        retained_->answer_by = exchange::due(workspace_.timeouts, Timer::handler, now.instant);
}

void Http1Connection::cut_continuation() noexcept {
    if (has_continuation()) std::exchange(retained_->continuation, nullptr)->cut();
}

/// The time at which the continuation, or the source of a response, wants to be called.
Instant Http1Connection::wake_at() const noexcept {
    if (outgoing_) return outgoing_->due();
    return has_continuation() ? retained_->continuation->due() : never;
}

/// The same, or the end of the continuation's time.
Instant Http1Connection::answer_by() const noexcept {
    const Instant answer_by = has_continuation() ? retained_->answer_by : never;
    return std::min(answer_by, wake_at());
}

/// Whether the deadline that has passed was that of wake_at().
bool Http1Connection::is_resumed(Now now) {
    if (now.instant < wake_at()) return false;
    if (outgoing_) {
        on<Event::woken>(now);
        pull(now);
        return true;
    }
    if (phase_ != Phase::content && now.instant >= retained_->answer_by) return false;
    go_on(now);
    return true;
}

}  // namespace weir::http
