#include "net/stop_signal.h"

#include <cerrno>
#include <memory>
#include <system_error>

namespace weir::net {
namespace {

Mapping make_shared_memory() {
    auto memory = Mapping::among_forks(sizeof(std::atomic<StopSignal::State>));
    if (!memory) throw std::system_error{errno, std::generic_category(), "mmap"};
    return memory;
}

}  // namespace

StopSignal::StopSignal()
    : shared_{make_shared_memory()},
      state_{std::construct_at(shared_.at<std::atomic<State>>(0), State::running)} {}

int StopSignal::descriptor(State seen) const noexcept {
    switch (seen) {
        case State::running: return draining_.fd();
        case State::draining: return now_.fd();
        case State::now: break;
    }
    return -1;
}

void StopSignal::reach(State state) noexcept {
    State before = state_->load(std::memory_order_relaxed);
    while (before < state && !state_->compare_exchange_weak(before, state)) {}
    if (before < State::draining) draining_.signal();
    if (before < state && state == State::now) now_.signal();
}

}  // namespace weir::net
