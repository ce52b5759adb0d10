#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "weir/base/instant.h"

namespace weir::web {

template <typename Value>
class Task;

namespace detail {

class Runner;

/// A wait of a coroutine. The object lies in the coroutine's frame.
class Awaited {
   public:
    /// Called on the connection's thread, whenever something may have happened.
    virtual bool is_ready(Instant now) noexcept = 0;
    /// The deadline: at this time, is_ready() is true at the latest.
    virtual Instant due() const noexcept { return never; }
    /// True if the coroutine waits for the content of the request: the connection then reads more
    /// of it.
    virtual bool wants_content() const noexcept { return false; }
    /// Called when the request has ended. True if another thread still works on objects of the
    /// frame. That thread then destroys the frame when it has finished, and releases its owner.
    virtual bool takes_over(std::coroutine_handle<> /*frame*/,
                            const std::shared_ptr<const void>& /*owner*/) noexcept {
        return false;
    }

   protected:
    ~Awaited() = default;
};

/// The part of a promise that all coroutines of this library share.
struct PromiseBase {
    Runner* runner = nullptr;  // null before the coroutine is started or awaited
    std::coroutine_handle<> awaited_by{};
    std::exception_ptr failure{};

    std::suspend_always initial_suspend() const noexcept { return {}; }
    struct Final {
        bool await_ready() const noexcept { return false; }
        template <typename Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> frame) const noexcept {
            const auto parent = frame.promise().awaited_by;
            return parent ? parent : std::noop_coroutine();
        }
        void await_resume() const noexcept {}
    };
    Final final_suspend() const noexcept { return {}; }
    void unhandled_exception() noexcept { failure = std::current_exception(); }
    void rethrow() const {
        if (failure) std::rethrow_exception(failure);
    }
};

template <typename Value>
struct Promise : PromiseBase {
    std::optional<Value> value{};

    Task<Value> get_return_object() noexcept;
    template <typename Result>
    void return_value(Result&& result) {
        value.emplace(std::forward<Result>(result));
    }
    Value take() {
        rethrow();
        return std::move(*value);
    }
};

template <>
struct Promise<void> : PromiseBase {
    Task<void> get_return_object() noexcept;
    void return_void() const noexcept {}
    void take() const { rethrow(); }
};

}  // namespace detail

/// A coroutine that returns a Value or throws. It runs when it is awaited, or when the router
/// starts it for a request. A Task owns the coroutine's frame. The coroutine can await only tasks
/// and the awaitables of this library. All its parts run on the thread of its connection, one at a
/// time.
template <typename Value = void>
class [[nodiscard]] Task {
   public:
    using promise_type = detail::Promise<Value>;

    Task() noexcept = default;
    Task(Task&& other) noexcept : frame_{std::exchange(other.frame_, {})} {}
    Task& operator=(Task&& other) noexcept {
        std::swap(frame_, other.frame_);
        return *this;
    }
    ~Task() {
        if (frame_) frame_.destroy();
    }

    bool await_ready() const noexcept { return false; }
    template <typename Parent>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Parent> parent) noexcept {
        frame_.promise().runner = parent.promise().runner;
        frame_.promise().awaited_by = parent;
        return frame_;
    }
    Value await_resume() { return frame_.promise().take(); }

    /// For the library: returns the frame, which the caller then owns.
    std::coroutine_handle<promise_type> release() noexcept { return std::exchange(frame_, {}); }

   private:
    friend promise_type;
    explicit Task(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}

    std::coroutine_handle<promise_type> frame_{};
};

template <typename Value>
Task<Value> detail::Promise<Value>::get_return_object() noexcept {
    return Task<Value>{std::coroutine_handle<Promise>::from_promise(*this)};
}
inline Task<void> detail::Promise<void>::get_return_object() noexcept {
    return Task<void>{std::coroutine_handle<Promise>::from_promise(*this)};
}

}  // namespace weir::web
