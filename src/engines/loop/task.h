#pragma once

#include <cassert>
#include <coroutine>
#include <utility>

namespace weir::engines {

/// A function that can stop in the middle and go on later: a coroutine. Its caller gets a Task
/// before the body has begun. Each resume() runs the body up to the next `co_await` at which it
/// stops, or to its end.
///
/// The frame of the coroutine holds its parameters, its local variables, and the place where it
/// stopped. The compiler lays out the frame, and the call takes it from the heap. The Task owns the
/// frame, and its destructor destroys the frame, wherever the coroutine has stopped, as if the
/// coroutine had returned there. The owner must neither resume nor destroy a Task while its
/// coroutine runs: neither the coroutine nor a function that it calls may do so.
class Task {
   public:
    /// The compiler looks for a type of this name in a coroutine's return type. Each frame has one
    /// object of it, and the compiler calls its functions at the turning points.
    struct promise_type {
        /// Makes the result of the call, before the body begins.
        Task get_return_object() noexcept { return Task{Handle::from_promise(*this)}; }
        /// The body begins with the first resume(), when the owner has the Task.
        std::suspend_always initial_suspend() const noexcept { return {}; }
        /// The frame stays after the end, so that the owner can see that the coroutine is done.
        std::suspend_always final_suspend() const noexcept { return {}; }
        /// At `co_return`.
        void return_void() const noexcept {}
        /// An exception leaves by resume(), and the coroutine is done.
        void unhandled_exception() const { throw; }
    };

    Task() noexcept = default;
    Task(Task&& other) noexcept : frame_{std::exchange(other.frame_, {})} {}
    Task& operator=(Task&& other) noexcept {
        std::swap(frame_, other.frame_);
        return *this;
    }
    ~Task() {
        if (frame_) frame_.destroy();
    }

    bool is_done() const noexcept { return frame_.done(); }
    void resume() {
        assert(!is_done());
        frame_.resume();
    }

   private:
    using Handle = std::coroutine_handle<promise_type>;
    explicit Task(Handle frame) noexcept : frame_{frame} {}

    Handle frame_;  // a pointer
};

}  // namespace weir::engines
