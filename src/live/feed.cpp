#include "live/feed.h"

#include <utility>

namespace weir::live {

std::optional<Feed::Place> Feed::join(http::Waker waker) {
    std::list<http::Waker> one;
    one.push_back(std::move(waker));
    const std::lock_guard lock{mutex_};
    if (streams_.size() >= streams_max_ || news_->has_ended()) return std::nullopt;
    streams_.splice(streams_.begin(), one);
    return Place{shared_from_this(), streams_.begin()};
}

void Feed::wake() const {
    const std::lock_guard lock{mutex_};
    for (const http::Waker& waker : streams_) waker.wake();
}

void Feed::leave(std::list<http::Waker>::iterator waker) noexcept {
    const std::lock_guard lock{mutex_};
    streams_.erase(waker);
}

}  // namespace weir::live
