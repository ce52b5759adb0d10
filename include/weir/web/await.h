#pragma once

#include <atomic>
#include <chrono>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/http/handler.h"
#include "weir/web/task.h"

namespace weir::web {

namespace detail {

/// Runs one coroutine of a request on the thread of its connection. The connection calls run() when
/// something may have happened; the coroutine goes on if its wait has ended.
class Runner {
   public:
    explicit Runner(http::Waker waker) noexcept : waker_{std::move(waker)} {}
    ~Runner() { end(); }
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    /// Takes over the frame, which has not begun. run() begins it. `owner` has the function object
    /// whose captures the coroutine uses, and lives as long as the frame.
    template <typename Promise>
    void adopt(std::coroutine_handle<Promise> frame, std::shared_ptr<const void> owner) noexcept {
        frame.promise().runner = this;
        root_ = innermost_ = frame;
        owner_ = std::move(owner);
    }
    void run();
    bool is_done() const noexcept { return root_ && root_.done(); }
    /// Destroys the frame, or leaves it to the thread that still needs it.
    void end() noexcept;

    Instant due() const noexcept { return awaited_ != nullptr ? awaited_->due() : never; }
    bool wants_content() const noexcept { return awaited_ != nullptr && awaited_->wants_content(); }
    Instant now() const noexcept { return waker_.now(); }
    const http::Waker& waker() const noexcept { return waker_; }

    /// For awaiters: `frame` is suspended until `awaited` is ready.
    void wait(std::coroutine_handle<> frame, Awaited& awaited) noexcept {
        innermost_ = frame;
        awaited_ = &awaited;
    }

   private:
    http::Waker waker_;
    std::shared_ptr<const void> owner_{};
    std::coroutine_handle<> root_{};
    std::coroutine_handle<> innermost_{};
    Awaited* awaited_ = nullptr;  // null while the coroutine runs, and after its end
    bool has_begun_ = false;
};

/// The wait of a coroutine that sleeps.
class Sleep final : public Awaited {
   public:
    explicit Sleep(std::chrono::milliseconds time) noexcept : time_{time} {}

    bool await_ready() const noexcept { return time_ <= time_.zero(); }
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> frame) noexcept {
        Runner& runner = *frame.promise().runner;
        due_ = runner.now() + time_;
        runner.wait(frame, *this);
    }
    void await_resume() const noexcept {}

    bool is_ready(Instant now) noexcept override { return now >= due_; }
    Instant due() const noexcept override { return due_; }

   private:
    std::chrono::milliseconds time_;
    Instant due_{};
};

/// Work for another thread.
class Job {
   public:
    virtual ~Job() = default;
    virtual void run() noexcept = 0;
};

/// The state of a job that a coroutine waits for. The job's thread and the coroutine share it.
class Offloaded : public Job {
   public:
    void run() noexcept final {
        work();
        if (state_.exchange(State::done) == State::abandoned) {
            const auto owner = std::move(owner_);  // destroyed after the frame, which may hold this
            frame_.destroy();
        } else {
            waker_->wake();
        }
    }
    bool is_done() const noexcept { return state_.load() == State::done; }
    /// Called when the coroutine has ended. True if the job has not: then the job destroys the
    /// frame.
    bool abandon(std::coroutine_handle<> frame, std::shared_ptr<const void> owner) noexcept {
        frame_ = frame;
        owner_ = std::move(owner);
        auto working = State::working;
        return state_.compare_exchange_strong(working, State::abandoned);
    }
    void wakes(const http::Waker& waker) { waker_.emplace(waker); }

   protected:
    virtual void work() noexcept = 0;

   private:
    enum class State : unsigned char { working, done, abandoned };
    std::atomic<State> state_{State::working};
    std::coroutine_handle<> frame_{};
    std::shared_ptr<const void> owner_{};
    std::optional<http::Waker> waker_{};
};

template <typename Work>
class OffloadedWork final : public Offloaded {
    using Result = std::invoke_result_t<Work&>;
    static constexpr bool has_value = !std::is_void_v<Result>;
    struct Nothing {};

   public:
    explicit OffloadedWork(Work&& work) : work_{std::move(work)} {}
    Result take() {
        // The last owner may be the thread that did the work. Exceptions end where they are caught.
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        if constexpr (has_value) return std::move(*value_);
    }

   private:
    void work() noexcept override {
        try {
            if constexpr (has_value)
                value_.emplace(work_());
            else
                work_();
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    Work work_;
    std::optional<std::conditional_t<has_value, Result, Nothing>> value_{};
    std::exception_ptr failure_{};
};

}  // namespace detail

/// Threads for work that blocks or computes for long, so that no event loop has to wait for it. A
/// program makes one pool or several, which its handlers borrow. The threads start with the first
/// job, so each process of an engine that forks has its own.
class Workers {
   public:
    /// `threads` is at least 1.
    explicit Workers(unsigned threads = 4);
    /// Waits for all jobs that were posted.
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Any thread may call it. Throws std::system_error if no thread can be started.
    void post(std::shared_ptr<detail::Job> job);

   private:
    struct State;
    std::unique_ptr<State> state_;
};

namespace detail {

template <typename Work>
class Offload final : public Awaited {
   public:
    Offload(Workers& workers, Work&& work)
        : workers_{workers}, job_{std::make_shared<OffloadedWork<Work>>(std::move(work))} {}

    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> frame) {
        Runner& runner = *frame.promise().runner;
        job_->wakes(runner.waker());
        workers_.post(job_);
        runner.wait(frame, *this);
    }
    auto await_resume() { return job_->take(); }

    bool is_ready(Instant) noexcept override { return job_->is_done(); }
    bool takes_over(std::coroutine_handle<> frame,
                    const std::shared_ptr<const void>& owner) noexcept override {
        const auto job = job_;  // the frame may be destroyed at once, and this object with it
        return job->abandon(frame, owner);
    }

   private:
    Workers& workers_;
    std::shared_ptr<OffloadedWork<Work>> job_;
};

}  // namespace detail

/// `co_await sleep_for(100ms)`: waits for at least that time, by the clock of the connection's
/// engine. Occupies no thread. If the request ends meanwhile, the coroutine does not go on.
inline detail::Sleep sleep_for(std::chrono::milliseconds time) noexcept {
    return detail::Sleep{time};
}

/// `co_await offload(workers, [&] { return query(); })`: calls the function on another thread, and
/// returns its result or throws its exception. The function may use objects of the coroutine: if
/// the request ends meanwhile, the coroutine's frame is kept until the function has returned, and
/// is then destroyed on that thread.
template <typename Work>
detail::Offload<Work> offload(Workers& workers, Work work) {
    return detail::Offload<Work>{workers, std::move(work)};
}

}  // namespace weir::web
