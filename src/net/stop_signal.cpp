#include "net/stop_signal.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>

namespace weir::net {
namespace {

UniqueFd make_eventfd() {
    UniqueFd fd{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    if (!fd) throw std::system_error{errno, std::generic_category(), "eventfd"};
    return fd;
}

Mapping make_shared_memory() {
    auto memory = Mapping::among_forks(sizeof(std::atomic<StopSignal::State>));
    if (!memory) throw std::system_error{errno, std::generic_category(), "mmap"};
    return memory;
}

// Each is written once or twice in its life: the counter can't overflow, so the write can't fail.
void make_readable(const UniqueFd& eventfd) noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(eventfd.get(), &one, sizeof one);
}

}  // namespace

StopSignal::StopSignal()
    : shared_{make_shared_memory()},
      state_{std::construct_at(shared_.at<std::atomic<State>>(0), State::running)},
      draining_{make_eventfd()},
      now_{make_eventfd()} {}

int StopSignal::descriptor(State seen) const noexcept {
    switch (seen) {
        case State::running: return draining_.get();
        case State::draining: return now_.get();
        case State::now: break;
    }
    return -1;
}

void StopSignal::reach(State state) noexcept {
    const int saved_errno = errno;  // a signal handler must leave it as it was
    State before = state_->load(std::memory_order_relaxed);
    while (before < state && !state_->compare_exchange_weak(before, state)) {}
    if (before < State::draining) make_readable(draining_);
    if (before < state && state == State::now) make_readable(now_);
    errno = saved_errno;
}

}  // namespace weir::net
