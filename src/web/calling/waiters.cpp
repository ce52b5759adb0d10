#include "weir/web/waiters.h"

#include "weir/web/flag.h"

namespace weir::web {
namespace detail {

void Waiters::add(Waiter& waiter, const http::Waker& waker) {
    waiter.waker_.emplace(waker);
    waiter.is_listed_ = true;
    *end_ = &waiter;
    end_ = &waiter.next_;
}

bool Waiters::remove(Waiter& waiter) noexcept {
    if (!std::exchange(waiter.is_listed_, false)) return false;
    Waiter** place = &first_;
    while (*place != &waiter) place = &(*place)->next_;
    *place = waiter.next_;
    if (end_ == &waiter.next_) end_ = place;
    return true;
}

void Waiters::wake_first() noexcept {
    Waiter& waiter = *first_;
    first_ = waiter.next_;
    if (first_ == nullptr) end_ = &first_;
    waiter.is_listed_ = false;
    waiter.is_woken_ = true;
    waiter.waker_->wake();  // the owner's mutex keeps the waiter
}

bool FlagWait::begin(Runner& of) {
    const std::scoped_lock lock{state_->mutex};
    if (state_->is_set) return false;
    state_->waiters.add(*this, of.waker());
    return true;
}

bool FlagWait::end() noexcept {
    const std::scoped_lock lock{state_->mutex};
    state_->waiters.remove(*this);
    return true;
}

}  // namespace detail

void Flag::set() const noexcept {
    const std::scoped_lock lock{state_->mutex};
    state_->is_set = true;
    state_->waiters.wake_all();
}

bool Flag::is_set() const noexcept {
    const std::scoped_lock lock{state_->mutex};
    return state_->is_set;
}

}  // namespace weir::web
