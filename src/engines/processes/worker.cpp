#include "engines/processes/worker.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "net/unique_fd.h"

namespace weir::engines {

using State = net::StopSignal::State;

/// Reserves room for a number in the name: once there is a process, nothing needs memory.
Worker::Worker(std::string_view slot_name, Instant now) : started_{now} {
    constexpr std::size_t number_bytes_max = 20;
    name_.reserve(slot_name.size() + std::string_view{" (pid )"}.size() + number_bytes_max);
    name_ = slot_name;
}

std::error_code Worker::start(const std::function<int()>& serve) {
    net::UniqueFd nothing_given;
    auto child = net::Child::start(stop_, net::Child::Terminated::by_anybody, nothing_given, serve);
    if (!child) return child.error();
    child_ = std::move(*child);
    name_.append(" (pid ").append(std::to_string(child_->pid())).append(")");
    return {};
}

void Worker::watch(std::vector<pollfd>& watched) const {
    watched.push_back({child_->fd(), POLLIN, 0});
    if (!is_ready_) watched.push_back({ready_.fd(), POLLIN, 0});
    if (is_outdated_ && !is_closed_) watched.push_back({closed_.fd(), POLLIN, 0});
    if (!is_retired_) watched.push_back({stop_.descriptor(State::running), POLLIN, 0});
}

bool Worker::has_become_ready() noexcept {
    if (is_ready_ || !ready_.clear()) return false;
    is_ready_ = true;
    return true;
}

bool Worker::may_accept() noexcept {
    is_closed_ = is_closed_ || closed_.clear();
    return !is_closed_;
}

bool Worker::stops_by_itself() const noexcept {
    return !is_retired_ && stop_.state() != State::running;
}

bool Worker::has_ended() const noexcept {
    pollfd watched{child_->fd(), POLLIN, 0};
    return ::poll(&watched, 1, 0) > 0;
}

unsigned Worker::ask(bool forgives) noexcept {
    pollfd question{pulse_.fd(), POLLIN, 0};
    const bool is_answered = ::poll(&question, 1, 0) == 0;
    misses_ = is_answered || forgives ? 0 : misses_ + 1;
    pulse_.signal();
    return misses_;
}

void Worker::retire(Instant kill_at) noexcept {
    is_retired_ = true;
    kill_at_ = kill_at;
    stop_.request_drain();
}

void Worker::cut(Instant kill_at) noexcept {
    kill_at_ = std::min(kill_at_, kill_at);
    stop_.request_now();
}

void Worker::kill() noexcept {
    kill_at_ = never;
    child_->kill();
}

}  // namespace weir::engines
