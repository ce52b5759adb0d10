#pragma once

#include <concepts>
#include <coroutine>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "weir/web/awaited.h"
#include "weir/web/foreign.h"
#include "weir/web/parameters.h"

namespace weir::web {
namespace detail {

template <typename Awaitable>
constexpr bool is_task = false;
template <typename Value>
constexpr bool is_task<Task<Value>> = true;

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
    /// For each `co_await`.
    template <typename Awaitable>
    auto await_transform(Awaitable&& awaitable) {
        using Own = std::remove_cvref_t<Awaitable>;
        if constexpr (is_task<Own>) {
            return awaitable.awaited();
        } else if constexpr (std::derived_from<Own, Awaited>) {
            static_assert(!std::is_lvalue_reference_v<Awaitable>,
                          "await this in the expression that makes it: it may borrow objects that "
                          "end with that expression");
            return AwaitedInPlace<Own>{std::forward<Awaitable>(awaitable)};
        } else {
            return WaitForForeign<Awaitable, AwaitedInPlace>{std::forward<Awaitable>(awaitable)};
        }
    }
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

/// A coroutine that returns a Value or throws. It runs when it is awaited, once, or when the router
/// starts it for a request. A Task owns the coroutine's frame. The coroutine can await tasks, the
/// awaitables of this library, and awaiters of others, which may resume on any thread. All its parts
/// run on the thread of its connection, one at a time. Its parameters must be values, or references
/// that are not const: all that may be gone when it goes on does not compile.
template <typename Value = void>
class [[nodiscard("a coroutine runs when it is awaited")]] Task {
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

    /// The awaiter, for the library. Throws std::logic_error if the task is empty, or was awaited
    /// before.
    auto awaited() {
        if (!frame_) throw std::logic_error{"an empty Task was awaited"};
        if (frame_.promise().runner != nullptr)
            throw std::logic_error{"a Task was awaited a second time"};
        return Await{frame_};
    }
    /// For the library: returns the frame, which the caller then owns. Throws std::logic_error if
    /// the task is empty.
    std::coroutine_handle<promise_type> release() {
        if (!frame_) throw std::logic_error{"a coroutine returned an empty Task"};
        return std::exchange(frame_, {});
    }

   private:
    friend promise_type;
    using Frame = std::coroutine_handle<promise_type>;

    struct Await {
        Frame frame;

        bool await_ready() const noexcept { return false; }
        template <typename Parent>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Parent> parent) noexcept {
            frame.promise().runner = parent.promise().runner;
            frame.promise().awaited_by = parent;
            return frame;
        }
        Value await_resume() { return frame.promise().take(); }
    };
    explicit Task(Frame frame) noexcept : frame_{frame} {}

    Frame frame_{};
};

template <typename Value>
Task<Value> detail::Promise<Value>::get_return_object() noexcept {
    return Task<Value>{std::coroutine_handle<Promise>::from_promise(*this)};
}
inline Task<void> detail::Promise<void>::get_return_object() noexcept {
    return Task<void>{std::coroutine_handle<Promise>::from_promise(*this)};
}

}  // namespace weir::web
