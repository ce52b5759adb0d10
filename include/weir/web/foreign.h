#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "weir/web/awaited.h"

/// How a coroutine of this library awaits what another library or the program made.
namespace weir::web::detail {

/// The awaiter of an expression: by a member `operator co_await`, by a free one, or the object
/// itself.
template <typename Awaitable>
decltype(auto) awaiter_of(Awaitable&& awaitable) {
    if constexpr (requires { std::forward<Awaitable>(awaitable).operator co_await(); })
        return std::forward<Awaitable>(awaitable).operator co_await();
    else if constexpr (requires { operator co_await(std::forward<Awaitable>(awaitable)); })
        return operator co_await(std::forward<Awaitable>(awaitable));
    else
        return std::forward<Awaitable>(awaitable);
}

template <typename Awaiter>
concept CanBeAwaited = requires(Awaiter& awaiter, std::coroutine_handle<> frame) {
    static_cast<bool>(awaiter.await_ready());
    awaiter.await_suspend(frame);
    awaiter.await_resume();
};

/// A coroutine of one part. A foreign awaiter gets its handle: whichever thread resumes it, the
/// coroutine that waits goes on at its own connection.
class Resumption {
   public:
    struct promise_type {
        Resumption get_return_object() noexcept {
            return Resumption{std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_never final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }
    };
    static Resumption of(std::shared_ptr<Elsewhere> event);

    explicit Resumption(std::coroutine_handle<> frame) noexcept : frame_{frame} {}
    Resumption(const Resumption&) = delete;
    Resumption& operator=(const Resumption&) = delete;
    ~Resumption() {
        if (frame_) frame_.destroy();
    }
    std::coroutine_handle<> get() const noexcept { return frame_; }
    /// The frame destroys itself when it is resumed.
    void release() noexcept { frame_ = {}; }

   private:
    std::coroutine_handle<> frame_;
};

/// If the request ends while the awaiter waits, the frame is kept until the awaiter resumes it.
template <typename Awaitable>
class Foreign final : public Awaited {
    using Awaiter = decltype(awaiter_of(std::declval<Awaitable>()));
    static_assert(CanBeAwaited<std::remove_reference_t<Awaiter>>,
                  "this can't be awaited: it has no await_ready(), await_suspend() and "
                  "await_resume(), and no operator co_await");
    static_assert(!(std::is_aggregate_v<std::remove_cvref_t<Awaitable>> &&
                    is_destroyed_twice<Awaitable>),
                  "GCC before 13 destroys this temporary twice: give the awaiter a name first, "
                  "`auto awaiter = ...; co_await awaiter;`");

   public:
    explicit Foreign(Awaitable&& awaitable)
        : awaiter_{awaiter_of(std::forward<Awaitable>(awaitable))} {}

    bool begin(Runner& runner) {
        if (static_cast<bool>(awaiter_.await_ready())) return false;
        event_ = std::make_shared<Elsewhere>();
        event_->wakes(runner.waker(), nullptr);
        return is_suspended_by(Resumption::of(event_));
    }
    decltype(auto) await_resume() { return awaiter_.await_resume(); }

    bool is_ready(Instant) noexcept override { return event_->has_happened(); }
    bool end() noexcept override { return event_->has_happened(); }
    bool takes_over(const Remains& remains) noexcept override {
        const auto event = event_;  // the frame may be destroyed at once, and this object with it
        return event->abandon(remains);
    }

   private:
    /// The result of await_suspend() is nothing, a bool, or the handle that is resumed next.
    bool is_suspended_by(Resumption resumption) {
        using Result = decltype(awaiter_.await_suspend(resumption.get()));
        const std::coroutine_handle<> frame = resumption.get();
        if constexpr (std::is_void_v<Result>) {
            awaiter_.await_suspend(frame);
        } else if constexpr (std::is_same_v<Result, bool>) {
            if (!awaiter_.await_suspend(frame)) return false;
        } else {
            const std::coroutine_handle<> next = awaiter_.await_suspend(frame);
            resumption.release();
            next.resume();
            return true;
        }
        resumption.release();
        return true;
    }

    Awaiter awaiter_;
    std::shared_ptr<Elsewhere> event_{};
};

/// A base, because bases are made in order.
template <typename Object>
struct Held {
    Object held;
};

/// A Wait for an awaitable that is not of this library.
template <typename Awaitable, template <typename> typename Wait>
class WaitForForeign final : Held<Foreign<Awaitable>>, public Wait<Foreign<Awaitable>> {
   public:
    explicit WaitForForeign(Awaitable&& awaitable)
        : Held<Foreign<Awaitable>>{Foreign<Awaitable>{std::forward<Awaitable>(awaitable)}},
          Wait<Foreign<Awaitable>>{std::move(this->held)} {}
};

}  // namespace weir::web::detail
