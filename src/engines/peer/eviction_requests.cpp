#include "engines/peer/eviction_requests.h"

#include <cerrno>
#include <new>
#include <utility>

#include "base/troubles.h"

namespace weir::engines {
namespace {

/// If there is no memory for the message, the loop sees the request when it wakes up.
void wake(http::Postbox& loop) noexcept try {
    loop.wake({.connection = ~std::uint64_t{0}, .request = 0});
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

}  // namespace

void EvictionRequests::join(std::weak_ptr<http::Postbox> loop) {
    const std::scoped_lock lock{mutex_};
    loops_.push_back(std::move(loop));
}

std::error_code EvictionRequests::open() noexcept {
    process_ = ::getpid();
    for (net::UniqueFd& fd : one_each_) {
        fd.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE));
        if (!fd) return {errno, std::generic_category()};
    }
    return {};
}

void EvictionRequests::ask(std::size_t count, EvictionScope scope,
                           const http::Postbox* asking) noexcept {
    if (process_ != 0 && process_ != ::getpid()) return;
    const bool idle = scope != EvictionScope::past_grace;
    if (const int fd = descriptor(idle); fd >= 0) {
        withdraw(idle);  // earlier requests, which were in vain
        const std::uint64_t units = count;
        [[maybe_unused]] const auto written = ::write(fd, &units, sizeof units);
    }
    const std::scoped_lock lock{mutex_};
    request_ = {count, scope};
    number_.fetch_add(1, std::memory_order_relaxed);
    for (const auto& loop : loops_)
        if (const auto postbox = loop.lock(); postbox && postbox.get() != asking) wake(*postbox);
}

void EvictionRequests::withdraw() const noexcept {
    for (const bool idle : {true, false})
        if (descriptor(idle) >= 0) withdraw(idle);
}

void EvictionRequests::withdraw(bool idle) const noexcept {
    while (claim_one(idle)) continue;
}

EvictionRequests::Request EvictionRequests::claim() noexcept {
    const std::scoped_lock lock{mutex_};
    return std::exchange(request_, Request{0, request_.scope});
}

void EvictionRequests::put_back(std::size_t count) noexcept {
    const std::scoped_lock lock{mutex_};
    request_.count += count;
}

bool EvictionRequests::claim_one(bool idle) const noexcept {
    std::uint64_t one = 0;
    return ::read(descriptor(idle), &one, sizeof one) == sizeof one;
}

}  // namespace weir::engines
