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

/// Middleware may have set a limit, or another one.
void CallContinuation::count_time() noexcept {
    const Notes* const notes = conversation_->call().notes.get();
    if (notes == nullptr || notes->time == time_) return;
    time_ = notes->time;
    answer_by_ = detail::later(runner_.now(), time_);
}

/// The response comes from the coroutine, from respond(), or from the time limit.
std::optional<http::Response> CallContinuation::find_answer() {
    if (frame_) runner_.run();
    if (frame_ && frame_.done()) return frame_.promise().take();
    if (!is_around_)
        if (auto response = conversation_->take_answer()) return response;
    if (!frame_ && conversation_->is_dropped()) return end_unanswered(conversation_->call());
    count_time();
    if (answer_by_ == never || runner_.now() < answer_by_) return std::nullopt;
    conversation_->stop();
    return end_timed_out(conversation_->call());
}

std::optional<http::Response> CallContinuation::answer() try {
    auto response = find_answer();
    if (!response) return response;
    complete(conversation_->call(), *response);
    close();
    if (auto noted = conversation_->take_failure())
        throw http::Failure{noted->what, std::move(noted->cause), std::move(*response)};
    return response;
} catch (...) {
    close();
    return end_with_exception(conversation_->call());
}

void CallContinuation::close() noexcept {
    conversation_->close();
    is_answered_ = true;
}

std::optional<http::Response> CallContinuation::refused(Status status, std::string_view reason) {
    return end_refused(conversation_->call(), status, reason);
}

http::Reply CallContinuation::resume() {
    if (auto response = answer()) return std::move(*response);
    if (runner_.wants_content()) return conversation_->content_reply(conversation_);
    return http::Later{};
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
