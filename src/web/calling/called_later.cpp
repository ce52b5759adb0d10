#include "web/calling/called_later.h"

#include <variant>

namespace weir::web::detail {

/// Notes that the handler's sink has paused.
class CalledLater::NotedSink final : public http::Sink {
   public:
    NotedSink(std::unique_ptr<http::Sink> inner, std::shared_ptr<Pause> pause) noexcept
        : inner_{std::move(inner)}, pause_{std::move(pause)} {}

    Taken take(std::string_view bytes) override {
        const Taken taken = inner_->take(bytes);
        *pause_ = taken == Taken::paused ? Pause::begun : Pause::none;
        return taken;
    }
    void cut() noexcept override { inner_->cut(); }

   private:
    std::unique_ptr<http::Sink> inner_;
    std::shared_ptr<Pause> pause_;
};

http::Reply CalledLater::resume() {
    if (inner_) return inner_->resume();
    switch (state_) {
        case State::begins: return call();
        case State::reads: return request_->content_pending() ? read_on() : call();
        case State::answers_later: break;
    }
    return http::Later{};
}

std::optional<http::Response> CalledLater::refused(http::Status status, std::string_view reason) {
    if (inner_) return inner_->refused(status, reason);
    const auto attached = request_->take_attachment();
    return attached ? attached->refused(status, reason) : std::nullopt;
}

http::Reply CalledLater::call() {
    http::Reply reply = handler_.handle(*request_);
    if (auto* const later = std::get_if<http::Later>(&reply)) {
        state_ = State::answers_later;
        inner_ = std::move(later->continuation);
        return resume();
    }
    state_ = State::reads;
    if (auto* const stream = std::get_if<http::StreamContent>(&reply)) {
        pause_ = std::make_shared<Pause>(Pause::none);
        stream->sink = std::make_unique<NotedSink>(std::move(stream->sink), pause_);
    }
    return reply;
}

/// A connection resumes its continuation when the sink pauses, and then for each wake-up: only that
/// lets the sink take more.
http::Reply CalledLater::read_on() {
    if (!pause_ || *pause_ == Pause::none) return http::Later{};
    if (*pause_ == Pause::known) return http::StreamContent{};
    *pause_ = Pause::known;
    return http::Later{};
}

}  // namespace weir::web::detail
