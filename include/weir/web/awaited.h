#pragma once

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/base/instant.h"
#include "weir/http/handler.h"

/// The machinery of coroutines: for this library, not for programs.
namespace weir::web::detail {

/// The jobs that still use the coroutine of a request that has ended. Any thread may call it.
class AbandonedJobs {
   public:
    void add() noexcept;
    void remove() noexcept;
    /// Returns when there is none.
    void wait() noexcept;

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t count_ = 0;
};

class Parts;

/// The coroutine of a request that has ended, for a thread that still works on its objects.
struct Remains {
    std::coroutine_handle<> frame{};
    std::shared_ptr<const void> owner{};  // has the captures that the coroutine uses
    Parts* parts = nullptr;  // null, or in place of the others: these wait for several threads

    /// Destroys the frame, or has it destroyed by the last of several threads.
    void release() noexcept;
};

/// A wait of a coroutine. The object lies in the coroutine's frame. In a debug build, it is an error
/// that ends the program to make one without `co_await`.
///
/// A class of them has two more functions. `bool begin(Runner&)` begins the wait; false: there is
/// nothing to wait for. `await_resume()` returns the result, once the wait is over.
class Awaited {
   public:
    Awaited(const Awaited&) = delete;
    Awaited& operator=(const Awaited&) = delete;

    /// Called on the connection's thread, whenever something may have happened.
    virtual bool is_ready(Instant now) noexcept = 0;
    /// The deadline: at this time, is_ready() is true at the latest.
    virtual Instant due() const noexcept { return never; }
    /// True if the coroutine waits for the content of the request: the connection then reads more
    /// of it.
    virtual bool wants_content() const noexcept { return false; }
    /// Ends the wait early, without a result: the coroutine goes on with something else. True if the
    /// object may be destroyed now; false if another thread still works on it, until is_ready().
    virtual bool end() noexcept { return true; }
    /// Called when the request has ended. True if another thread still works on objects of the
    /// frame. That thread then destroys the frame when it has finished, and releases its owner.
    virtual bool takes_over(const Remains& /*remains*/) noexcept { return false; }

    void note_awaited() noexcept { is_awaited_ = true; }

   protected:
    Awaited() noexcept = default;
    /// An exception on the way to the co_await, of another allocation, is no mistake.
    ~Awaited() {
        assert((is_awaited_ || std::uncaught_exceptions() != 0) &&
               "this does nothing without co_await");
    }

   private:
    bool is_awaited_ = false;
};

/// Runs one coroutine of a request on the thread of its connection. The connection calls run() when
/// something may have happened; the coroutine goes on if its wait has ended.
class Runner {
   public:
    /// Jobs that the coroutine leaves behind are counted in `jobs`, unless that is null.
    Runner(http::Waker waker, AbandonedJobs* jobs) noexcept
        : waker_{std::move(waker)}, jobs_{jobs} {}
    ~Runner() { end(); }
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    /// Takes over the frame, which has not begun. run() begins it.
    template <typename Promise>
    void adopt(std::coroutine_handle<Promise> frame) noexcept {
        frame.promise().runner = this;
        innermost_ = frame_ = frame;
    }
    void run();
    bool has_begun() const noexcept { return has_begun_; }
    bool is_done() const noexcept { return frame_ && frame_.done(); }
    /// Destroys the frame, or leaves it to the thread that still needs it. `owner` has the function
    /// object whose captures the coroutine uses: it goes with the frame.
    void end(std::shared_ptr<const void> owner = nullptr) noexcept;
    /// Leaves what the frame waits for to the thread that works on it, if there is one: that thread
    /// then releases `remains`. The frame stays.
    bool leave(const Remains& remains) noexcept {
        Awaited* const awaited = std::exchange(awaited_, nullptr);
        return awaited != nullptr && awaited->takes_over(remains);
    }

    Instant due() const noexcept { return awaited_ != nullptr ? awaited_->due() : never; }
    bool wants_content() const noexcept { return awaited_ != nullptr && awaited_->wants_content(); }
    /// Null before adopt() and after end().
    std::coroutine_handle<> frame() const noexcept { return frame_; }
    Instant now() const noexcept { return waker_.now(); }
    const http::Waker& waker() const noexcept { return waker_; }

    /// For awaiters: `frame` is suspended until `awaited` is ready.
    void wait(std::coroutine_handle<> frame, Awaited& awaited) noexcept {
        innermost_ = frame;
        awaited_ = &awaited;
    }
    Awaited* awaited() const noexcept { return awaited_; }
    AbandonedJobs* jobs() const noexcept { return jobs_; }

   private:
    http::Waker waker_;
    AbandonedJobs* jobs_;
    std::coroutine_handle<> frame_{};
    std::coroutine_handle<> innermost_{};
    Awaited* awaited_ = nullptr;  // null while the coroutine runs, and after its end
    bool has_begun_ = false;
};

/// Awaits an object of this library in the expression that made it.
template <typename Own>
class AwaitedInPlace {
   public:
    /// Borrows the object, which can't be moved.
    explicit AwaitedInPlace(Own&& own) noexcept
        : own_{own} {  // NOLINT(*-rvalue-reference-param-not-moved)
        own.note_awaited();
    }

    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    bool await_suspend(std::coroutine_handle<Promise> frame) {
        Runner& runner = *frame.promise().runner;
        if (!own_.begin(runner)) return false;
        runner.wait(frame, own_);
        return true;
    }
    decltype(auto) await_resume() { return own_.await_resume(); }

   private:
    Own& own_;
};

/// An event on another thread that a coroutine waits for. The two threads share it.
class Elsewhere {
   public:
    /// Called before the other thread knows of the wait. If the event comes after the end of the
    /// request, it is counted in `jobs`, unless that is null.
    void wakes(const http::Waker& waker, AbandonedJobs* jobs) {
        waker_.emplace(waker);
        jobs_ = jobs;
    }
    bool has_happened() const noexcept { return state_.load() == State::happened; }
    /// Called when the request has ended. True if the event has not happened: happened() then
    /// releases what is left.
    bool abandon(const Remains& remains) noexcept {
        remains_ = remains;
        if (jobs_ != nullptr) jobs_->add();
        auto waits = State::waits;
        if (state_.compare_exchange_strong(waits, State::abandoned)) return true;
        if (jobs_ != nullptr) jobs_->remove();
        remains_ = {};
        return false;
    }

    /// Called by the other thread, once.
    void happened() noexcept {
        if (state_.exchange(State::happened) != State::abandoned) return waker_->wake();
        AbandonedJobs* const jobs = jobs_;  // the frame may hold the last reference to this
        std::exchange(remains_, {}).release();
        if (jobs != nullptr) jobs->remove();
    }

   private:
    enum class State : unsigned char { waits, happened, abandoned };
    std::atomic<State> state_{State::waits};
    Remains remains_{};
    std::optional<http::Waker> waker_{};
    AbandonedJobs* jobs_ = nullptr;
};

/// True if GCC before 13 destroys such a temporary twice in an expression with `co_await`: it copies
/// the members of closures and aggregates bit by bit into the coroutine's frame.
template <typename Object>
constexpr bool is_destroyed_twice =
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
    !std::is_trivially_destructible_v<Object>;  // false for a reference: no temporary
#else
    false;
#endif

}  // namespace weir::web::detail
