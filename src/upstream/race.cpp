#include "upstream/race.h"

#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "upstream/dial.h"

namespace weir::upstream {
namespace {

enum class Progress : std::uint8_t { pending, connected, failed };

/// connect(2): a socket has connected, or failed to, when it is reported as writable.
Progress progress_of(int socket) noexcept {
    pollfd watched{.fd = socket, .events = POLLOUT, .revents = 0};
    if (::poll(&watched, 1, 0) <= 0) return Progress::pending;
    int error = 0;
    socklen_t size = sizeof error;
    if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return Progress::failed;
    return error == 0 ? Progress::connected : Progress::failed;
}

}  // namespace

Race::State Race::advance(Instant now) noexcept {
    for (;;) {
        for (auto each = attempts_.begin(); each != attempts_.end();) {
            const Progress progress = progress_of(each->socket.get());
            if (progress == Progress::connected) {
                std::swap(*each, attempts_.front());
                return State::won;
            }
            const bool is_over = progress == Progress::failed || now >= each->ends_at;
            each = is_over ? attempts_.erase(each) : std::next(each);
            if (is_over) next_at_ = now;
        }
        if (next_ == addresses_.size()) return attempts_.empty() ? State::lost : State::undecided;
        if (!attempts_.empty() && now < next_at_) return State::undecided;
        begin_next(now);
        if (addresses_.size() == 1 && !attempts_.empty()) return State::won;
    }
}

/// No descriptor, or no route to the address: the next one may have better luck.
void Race::begin_next(Instant now) noexcept {
    const net::Address& address = addresses_[next_++];
    net::FileShare share;
    if (!share.take()) return;
    net::UniqueFd socket = begin_to_connect(address);
    if (!socket) return;
    attempts_.push_back({.socket = std::move(socket),
                         .share = std::move(share),
                         .address = address,
                         .ends_at = timeout_.count() == 0 ? never : now + timeout_});
    next_at_ = now + attempt_delay;
}

Instant Race::due() const noexcept {
    Instant due = next_ == addresses_.size() ? never : next_at_;
    for (const Attempt& each : attempts_) due = std::min(due, each.ends_at);
    return due;
}

void Race::append_to(std::vector<pollfd>& watched) const {
    for (const Attempt& each : attempts_)
        watched.push_back({.fd = each.socket.get(), .events = POLLOUT, .revents = 0});
}

Race::Attempt Race::take_best() noexcept {
    Attempt best = std::move(attempts_.front());
    attempts_.clear();
    return best;
}

}  // namespace weir::upstream
