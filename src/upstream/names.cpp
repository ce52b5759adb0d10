#include "upstream/names.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "base/background_thread.h"
#include "base/troubles.h"

namespace weir::upstream {
namespace {

/// Servers of names change the order from answer to answer.
bool are_same(std::span<const net::Address> some, std::span<const net::Address> others) {
    return std::ranges::is_permutation(some, others);
}

}  // namespace

void tell_operator(const std::string& url, const std::string& why) {
    troubles().note(Trouble::names, url + ": " + why);
}

Name::Name(std::shared_ptr<LookUps> by, const Target& target, Instant looked_up_at)
    : by_{std::move(by)},
      url_{target.url},
      name_{target.name},
      port_{target.port},
      addresses_{target.addresses},
      asked_at_{looked_up_at},
      has_failed_{target.addresses.empty()} {}

std::vector<net::Address> Name::addresses(Instant now) {
    const std::scoped_lock lock{by_->mutex_};
    if (now - asked_at_ >= by_->age_max_) by_->begin(*this, now);
    return addresses_;
}

Name::Again Name::ask(Instant now, const http::Waker* waiter) {
    const std::scoped_lock lock{by_->mutex_};
    if (!is_under_way_ && now - asked_at_ < LookUps::pause)
        return has_changed_ ? Again::now : Again::no;
    waiting_.reserve(waiting_.size() + 1);
    if (!is_under_way_ && !by_->begin(*this, now)) return Again::no;
    if (waiter != nullptr) waiting_.push_back(*waiter);
    return Again::later;
}

Name::Again Name::outcome() noexcept {
    const std::scoped_lock lock{by_->mutex_};
    if (is_under_way_) return Again::later;
    return has_changed_ ? Again::now : Again::no;
}

void LookUps::stop() noexcept {
    const std::scoped_lock lock{mutex_};
    is_stopped_ = true;
    queue_.clear();
}

/// The caller has the lock. False if the system has no thread for it.
bool LookUps::begin(Name& name, Instant now) {
    if (is_stopped_ || name.is_under_way_) return false;
    name.asked_at_ = now;
    queue_.push_back(name.shared_from_this());
    try {
        if (!is_running_)
            start_background_thread([self = shared_from_this()] { self->run(); }).detach();
    } catch (const std::system_error&) {
        queue_.pop_back();
        return false;
    }
    name.is_under_way_ = is_running_ = true;
    return true;
}

void LookUps::run() noexcept {
    while (const auto name = next()) work(*name);
}

/// Null: the thread ends.
std::shared_ptr<Name> LookUps::next() noexcept {
    const std::scoped_lock lock{mutex_};
    is_running_ = !queue_.empty();
    if (!is_running_) return nullptr;
    auto name = std::move(queue_.front());
    queue_.pop_front();
    return name;
}

/// A look-up that fails brings nothing new: the addresses stay. The first failure is told.
void LookUps::work(Name& name) noexcept try {
    const auto found = look_up(name.name_, name.port_, by_);
    const bool had_failed = std::exchange(name.has_failed_, !found);
    if (!found && !had_failed) tell_operator(name.url_, found.error());
    end(name, found ? std::span<const net::Address>{*found} : std::span<const net::Address>{});
} catch (const std::bad_alloc&) {
    end(name, {});
}

/// The caller has the lock. Without memory, the addresses stay.
void LookUps::adopt(Name& name, std::span<const net::Address> found) noexcept try {
    name.has_changed_ = !found.empty() && !are_same(found, name.addresses_);
    if (!name.has_changed_) return;
    name.addresses_.assign(found.begin(), found.end());
    changed_(name.url_, found);
} catch (const std::bad_alloc&) {
    name.has_changed_ = false;
}

void LookUps::end(Name& name, std::span<const net::Address> found) noexcept {
    std::vector<http::Waker> waiting;
    {
        const std::scoped_lock lock{mutex_};
        name.is_under_way_ = false;
        waiting.swap(name.waiting_);
        if (is_stopped_) return;
        adopt(name, found);
    }
    for (const http::Waker& each : waiting) each.wake();
}

}  // namespace weir::upstream
