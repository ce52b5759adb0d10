#pragma once

#include <cassert>
#include <coroutine>
#include <utility>

namespace weir::engines {

/// A function that can stop in the middle and go on later: a coroutine. Whoever calls it gets a Task
/// and nothing has happened yet; each resume() runs it on, up to the next `co_await` at which it
/// stops, or to its end.
///
/// What it must remember meanwhile (its parameters, its local variables, and where it stopped) lies
/// in its frame, which the compiler lays out and the call takes from the heap. The frame belongs to
/// the Task: it goes when the Task goes, wherever the coroutine has stopped, as if it had returned
/// there. One thing is the owner's to see to: neither is done while the coroutine runs, which means
/// not by itself, nor by what it calls.
class Task {
   public:
    /// The compiler looks for a type of this name in a coroutine's return type. One of them stands
    /// in each frame, and its functions are what the compiler calls at the turning points.
    struct promise_type {
        /// What the caller gets, made before the body begins.
        Task get_return_object() noexcept { return Task{Handle::from_promise(*this)}; }
        /// The body begins with the first resume(), when the owner knows the Task.
        std::suspend_always initial_suspend() const noexcept { return {}; }
        /// After its end the frame stays, so that the owner can see that it is done.
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
