#include "web/calling/call_continuation.h"

#include <algorithm>
#include <utility>

#include "web/calling/chain.h"
#include "web/calling/errors.h"

namespace weir::web::detail {

CallContinuation::CallContinuation(std::shared_ptr<Conversation> conversation)
    : conversation_{std::move(conversation)},
      runner_{conversation_->waker(), &conversation_->call().route->common->jobs} {
    count_time();
}

void CallContinuation::start(Task<http::Response> task, std::shared_ptr<const void> owner,
                             bool is_around) {
    frame_ = task.release();
    is_around_ = is_around;
    owner_ = std::move(owner);
    runner_.adopt(frame_);
}

/// Middleware may have set a limit, or another one. The time counts anew when content has come, and
/// not while it comes.
void CallContinuation::count_time() noexcept {
    const Notes* const notes = conversation_->call().notes.get();
    if (notes == nullptr || notes->time == notes->time.zero()) return;
    const bool is_coming = conversation_->is_content_coming();
    const bool counts_on = time_ == notes->time && !was_coming_;
    was_coming_ = is_coming;
    time_ = notes->time;
    if (is_coming)
        answer_by_ = never;
    else if (!counts_on)
        answer_by_ = detail::later(runner_.now(), time_);
}

std::optional<http::Response> CallContinuation::finished() {
    if (!frame_ || !frame_.done()) return std::nullopt;
    return frame_.promise().take();
}

/// The response comes from the coroutine, from respond(), or from the time limit.
std::optional<http::Response> CallContinuation::find_answer() {
    if (frame_) runner_.run();
    if (auto response = finished()) return response;
    if (!is_around_)
        if (auto response = conversation_->take_answer()) return response;
    if (!frame_ && conversation_->is_dropped()) return end_unanswered(conversation_->call());
    count_time();
    if (answer_by_ == never || runner_.now() < answer_by_) return std::nullopt;
    return end_in_time();
}

/// Middleware gets a little time more for the response to the time that is over.
std::optional<http::Response> CallContinuation::end_in_time() {
    conversation_->stop();
    const Cause cause = timed_out();
    if (!ends_within(cause)) return end_all_with(conversation_->call(), cause);
    answer_by_ = runner_.now() + std::chrono::seconds{1};
    return finished();
}

/// True if a next() has returned the response to `cause`. Otherwise no middleware is within one, or
/// another thread still works for what is within.
bool CallContinuation::ends_within(const Cause& cause) {
    if (!is_around_) return false;
    conversation_->close();
    conversation_->refuse(cause);
    runner_.run();
    return frame_.done() || !conversation_->is_refused();
}

std::optional<http::Response> CallContinuation::brought(std::optional<http::Response> response) {
    if (!response) return response;
    complete(conversation_->call(), *response);
    close();
    if (auto noted = conversation_->take_failure())
        throw http::Failure{noted->what, std::move(noted->cause), std::move(*response)};
    return response;
}

std::optional<http::Response> CallContinuation::answer() try {
    return brought(find_answer());
} catch (...) {
    close();
    return end_with_exception(conversation_->call());
}

std::optional<http::Response> CallContinuation::refused(Status status,
                                                        std::string_view reason) try {
    conversation_->stop();
    const Cause cause = detail::refused(status, reason);
    if (ends_within(cause))
        if (auto response = brought(finished())) return response;
    return end_all_with(conversation_->call(), cause);
} catch (...) {
    close();
    return end_with_exception(conversation_->call());
}

void CallContinuation::close() noexcept {
    conversation_->close();
    is_answered_ = true;
}

http::Reply CallContinuation::resume() {
    if (auto response = answer()) return std::move(*response);
    if (!runner_.wants_content()) return http::Later{};
    http::Reply reply = conversation_->content_reply(conversation_);
    count_time();
    return reply;
}

Instant CallContinuation::due() const noexcept { return std::min(runner_.due(), answer_by_); }

void CallContinuation::cut() noexcept {
    const auto conversation = std::exchange(conversation_, nullptr);
    if (!conversation) return;
    frame_ = {};
    conversation->close();
    if (!is_answered_) conversation->stop();
    runner_.end(std::move(owner_));
}

}  // namespace weir::web::detail
