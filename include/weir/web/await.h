#pragma once

#include <chrono>
#include <concepts>
#include <coroutine>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/web/settled.h"
#include "weir/web/task.h"

namespace weir::web {

namespace detail {

/// `time` after `now`; `never` if no Instant is so late, as for milliseconds::max().
inline Instant later(Instant now, std::chrono::milliseconds time) noexcept {
    using std::chrono::duration_cast;
    const bool is_endless = time >= duration_cast<std::chrono::milliseconds>(never - now);
    return is_endless ? never : now + time;
}

/// The wait of a coroutine that sleeps.
class [[nodiscard("sleep_for() does nothing without co_await")]] Sleep final : public Awaited {
   public:
    explicit Sleep(std::chrono::milliseconds time) noexcept : time_{time} {}

    bool begin(Runner& runner) noexcept {
        due_ = later(runner.now(), time_);
        return time_ > time_.zero();
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

/// A job that a coroutine waits for: a function and its arguments, which it owns.
template <typename Function, typename... Arguments>
class OffloadedWork final : public Job {
    using Result = std::invoke_result_t<Function, Arguments...>;

   public:
    template <typename... Given>
    explicit OffloadedWork(Given&&... given) : work_{std::forward<Given>(given)...} {}

    void run() noexcept override {
        const auto call = [](Function&& function, Arguments&&... arguments) -> Result {
            return std::invoke(std::move(function), std::move(arguments)...);
        };
        result.take([&]() -> Result { return std::apply(call, std::move(work_)); });
        event.happened();
    }

    Settled<Result> result{};
    Elsewhere event;

   private:
    std::tuple<Function, Arguments...> work_;
};

}  // namespace detail

/// Threads for work that blocks or computes for long, so that no event loop has to wait for it. A
/// program makes one pool or several, which its handlers borrow. The threads start with the first
/// job, so each process of an engine that forks has its own. Jobs wait in a queue without a limit:
/// rate_limit() and server::Options::connections_max bound the requests that add to it.
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
class [[nodiscard("offload() does nothing without co_await")]] Offload final : public Awaited {
   public:
    Offload(Workers& workers, std::shared_ptr<Work> job) noexcept
        : workers_{workers}, job_{std::move(job)} {}

    bool begin(Runner& runner) {
        job_->event.wakes(runner.waker(), runner.jobs());
        workers_.post(job_);
        return true;
    }
    auto await_resume() { return job_->result.get(); }

    bool is_ready(Instant) noexcept override { return job_->event.has_happened(); }
    bool end() noexcept override { return job_->event.has_happened(); }
    bool takes_over(const Remains& remains) noexcept override {
        const auto job = job_;  // the frame may be destroyed at once, and this object with it
        return job->event.abandon(remains);
    }

   private:
    Workers& workers_;
    std::shared_ptr<Work> job_;
};

/// True if offload() can take these. The messages are for the programmer.
template <typename Function, typename... Arguments>
consteval bool is_work() {
    constexpr bool is_kept = !is_destroyed_twice<Function>;
    constexpr bool are_kept =
        ((!std::is_aggregate_v<Arguments> || !is_destroyed_twice<Arguments>) && ...);
    constexpr bool can_own = (std::constructible_from<std::decay_t<Function>, Function> && ... &&
                              std::constructible_from<std::decay_t<Arguments>, Arguments>);
    constexpr bool can_call = std::invocable<std::decay_t<Function>, std::decay_t<Arguments>...>;
    static_assert(is_kept,
                  "GCC before 13 destroys the captures of this function twice: give it a name, "
                  "`auto work = [...] { ... }; co_await offload(workers, work);`, or give what it "
                  "captures as arguments of offload()");
    static_assert(are_kept,
                  "GCC before 13 destroys this argument of offload() twice: give it a name first");
    static_assert(can_own,
                  "offload() copies what has a name, and this can't be copied: use std::ref(), "
                  "which borrows it, or std::move()");
    static_assert(
        can_call,
        "offload() calls its function with copies of the arguments behind it, which it moves, and "
        "this one does not take them: std::ref() gives it an object of yours");
    if constexpr (can_call) {
        constexpr bool is_value = !std::is_reference_v<
            std::invoke_result_t<std::decay_t<Function>, std::decay_t<Arguments>...>>;
        static_assert(is_value,
                      "the function of offload() returns a reference: let it return a value or a "
                      "pointer");
        return is_kept && are_kept && can_own && is_value;
    }
    return false;
}

}  // namespace detail

/// `co_await sleep_for(100ms)`: waits for at least that time, by the clock of the connection's
/// engine. Occupies no thread. If the request ends meanwhile, the coroutine does not go on.
inline detail::Sleep sleep_for(std::chrono::milliseconds time) noexcept {
    return detail::Sleep{time};
}

/// `co_await offload(workers, [&] { return query(); })`: calls the function on another thread, and
/// returns its result or throws its exception. The function and the arguments for it are copied or
/// moved, as std::async() does. The function gets these copies, which it may take by value, by
/// `const&` or by `&&`, and the object itself where std::ref() stands. It may use objects of the
/// coroutine: if the request ends meanwhile, the coroutine's frame is kept until the function has
/// returned, and is then destroyed on that thread. The router waits for such functions when it is
/// destroyed.
///
/// A function with captures that need a destructor, written within the expression, does not compile
/// with GCC before 13, which would destroy them twice. Give them as arguments, or give the function
/// a name:
///
///     co_await offload(workers, [](const std::string& name) { return find(name); }, name);
///     const auto find_it = [name] { return find(name); };
///     co_await offload(workers, find_it);  // std::ref(find_it): borrows it
template <typename Function, typename... Arguments>
auto offload(Workers& workers, Function&& function, Arguments&&... arguments) {
    if constexpr (detail::is_work<Function, Arguments...>()) {
        using Work = detail::OffloadedWork<std::decay_t<Function>, std::decay_t<Arguments>...>;
        return detail::Offload<Work>{workers,
                                     std::make_shared<Work>(std::forward<Function>(function),
                                                            std::forward<Arguments>(arguments)...)};
    } else {
        return sleep_for({});  // not compiled: see above. This keeps the compiler from saying more
    }
}

}  // namespace weir::web
