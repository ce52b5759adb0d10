#include "net/stop_signal.h"

#include <cerrno>
#include <memory>
#include <system_error>

#include "net/clock.h"

namespace weir::net {
namespace {

Mapping make_shared_memory(std::size_t size) {
    auto memory = Mapping::among_forks(size);
    if (!memory) throw std::system_error{errno, std::generic_category(), "mmap"};
    return memory;
}

}  // namespace

StopSignal::StopSignal()
    : memory_{make_shared_memory(sizeof(Shared))},
      shared_{std::construct_at(memory_.at<Shared>(0))} {}

int StopSignal::descriptor(State seen) const noexcept {
    switch (seen) {
        case State::running: return draining_.fd();
        case State::draining: return now_.fd();
        case State::now: break;
    }
    return -1;
}

void StopSignal::reach(State state) noexcept {
    Instant unset = never;  // only the first request is stored, before `state` changes
    shared_->requested_at.compare_exchange_strong(unset, read_instant());
    State before = shared_->state.load(std::memory_order_relaxed);
    while (before < state && !shared_->state.compare_exchange_weak(before, state)) {}
    if (before < State::draining) draining_.signal();
    if (before < state && state == State::now) now_.signal();
}

}  // namespace weir::net
