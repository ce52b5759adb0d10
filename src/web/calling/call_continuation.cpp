#include "web/calling/call_continuation.h"

#include <algorithm>
#include <utility>

namespace weir::web::detail {

CallContinuation::CallContinuation(std::shared_ptr<Conversation> conversation)
    : conversation_{std::move(conversation)},
      runner_{conversation_->waker(), conversation_->call().route->jobs} {
    const Notes* const notes = conversation_->call().notes.get();
    if (notes != nullptr && notes->time > notes->time.zero())
        answer_by_ = runner_.now() + notes->time;
}

void CallContinuation::start(Task<http::Response> task, std::shared_ptr<const void> owner) {
    frame_ = task.release();
    runner_.adopt(frame_, std::move(owner));
}

/// The response comes from the coroutine, from respond(), or from the time limit.
std::optional<http::Response> CallContinuation::find_answer() {
    if (frame_) runner_.run();
    if (frame_ && frame_.done()) return returned();
    if (auto response = conversation_->take_answer(!frame_)) return response;
    if (answer_by_ == never || runner_.now() < answer_by_) return std::nullopt;
    conversation_->stop();
    return http::error_response(http::Status::service_unavailable,
                                "The server took too long to answer this request");
}

http::Response CallContinuation::returned() {
    try {
        return frame_.promise().take();
    } catch (const Refusal& refusal) {
        return response_of(refusal);
    }
}

std::optional<http::Response> CallContinuation::answer() {
    auto response = find_answer();
    if (!response) return response;
    CallState& state = conversation_->call();
    complete(state, *response, state.route->chain.size());
    conversation_->close();
    is_answered_ = true;
    return response;
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
    runner_.end();
}

}  // namespace weir::web::detail
