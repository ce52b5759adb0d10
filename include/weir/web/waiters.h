#pragma once

#include <atomic>
#include <optional>

#include "weir/web/awaited.h"

namespace weir::web::detail {

class Waiters;

/// A wait in a list. The object lies in a coroutine's frame, and any thread may wake it.
class Waiter : public Awaited {
   public:
    bool is_ready(Instant) noexcept final { return is_woken_.load(); }

   protected:
    ~Waiter() = default;

   private:
    friend Waiters;
    std::optional<http::Waker> waker_{};
    Waiter* next_ = nullptr;
    bool is_listed_ = false;
    std::atomic<bool> is_woken_ = false;
};

/// The waits for one thing, the first one first. The owner's mutex guards all calls.
class Waiters {
   public:
    bool is_empty() const noexcept { return first_ == nullptr; }
    Waiter* first() const noexcept { return first_; }
    void add(Waiter& waiter, const http::Waker& waker);
    /// False if the waiter was woken, or never added.
    bool remove(Waiter& waiter) noexcept;
    /// Takes the first one out, whose coroutine goes on. There is one.
    void wake_first() noexcept;
    void wake_all() noexcept {
        while (!is_empty()) wake_first();
    }

   private:
    Waiter* first_ = nullptr;
    Waiter** end_ = &first_;
};

}  // namespace weir::web::detail
