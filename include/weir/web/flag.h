#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "weir/web/waiters.h"

namespace weir::web {

namespace detail {

struct FlagState {
    mutable std::mutex mutex;  // guards all members
    Waiters waiters{};
    bool is_set = false;
};

class [[nodiscard("wait() does nothing without co_await")]] FlagWait final : public Waiter {
   public:
    explicit FlagWait(std::shared_ptr<FlagState> state) noexcept : state_{std::move(state)} {}
    ~FlagWait() { end(); }

    bool begin(Runner& of);
    void await_resume() const noexcept {}
    bool end() noexcept override;

   private:
    std::shared_ptr<FlagState> state_;
};

}  // namespace detail

/// An event that happens once, for coroutines of any connections. Copies are the same flag. Any
/// thread may call all members.
class Flag {
   public:
    /// The coroutines that wait go on, in the order of their waits; later ones do not wait.
    void set() const noexcept;
    bool is_set() const noexcept;
    /// `co_await flag.wait()`: returns when the flag is set.
    detail::FlagWait wait() const noexcept { return detail::FlagWait{state_}; }

   private:
    std::shared_ptr<detail::FlagState> state_ = std::make_shared<detail::FlagState>();
};

}  // namespace weir::web
