#pragma once

#include <atomic>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/web/awaited.h"
#include "weir/web/foreign.h"
#include "weir/web/settled.h"
#include "weir/web/task.h"

/// Several waits of one coroutine at a time: for this library, not for programs.
namespace weir::web::detail {

/// A wait among several. Only the connection's thread calls it.
class Part {
   public:
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    virtual void begin(Runner& of) noexcept = 0;
    /// True if the part has its result, or has ended without one. Takes the result as soon as it is
    /// there.
    virtual bool is_over(Instant now) noexcept = 0;
    virtual bool has_failed() const noexcept = 0;
    /// Throws the exception of a part that has failed.
    virtual void rethrow() = 0;
    /// Ends the part early. It is over as soon as no other thread works on it.
    virtual void end() noexcept = 0;
    virtual Instant due() const noexcept = 0;
    virtual bool wants_content() const noexcept = 0;
    /// See Awaited::takes_over().
    virtual bool takes_over(const Remains& remains) noexcept = 0;

    virtual ~Part() = default;

   protected:
    Part() noexcept = default;
};

/// The wait for an awaitable that lies in the same expression.
template <typename Own>
class OwnPart : public Part {
   public:
    using Result = decltype(std::declval<Own&>().await_resume());

    /// Borrows the object, which can't be moved.
    explicit OwnPart(Own&& own) noexcept
        : own_{own} {  // NOLINT(*-rvalue-reference-param-not-moved)
        own.note_awaited();
    }
    void begin(Runner& of) noexcept override {
        try {
            state_ = own_.begin(of) ? State::waits : State::is_ready;
        } catch (...) {
            settled_.take([]() -> Result { throw; });
            state_ = State::is_over;
        }
    }
    bool is_over(Instant now) noexcept override {
        if (state_ == State::waits && own_.is_ready(now)) state_ = State::is_ready;
        if (state_ == State::ends && own_.is_ready(now)) state_ = State::is_over;
        if (state_ == State::is_ready) {
            settled_.take([this]() -> Result { return own_.await_resume(); });
            state_ = State::is_over;
        }
        return state_ == State::is_over;
    }
    bool has_failed() const noexcept override { return settled_.has_failed(); }
    void rethrow() override { static_cast<void>(settled_.get()); }
    void end() noexcept override {
        if (state_ == State::waits || state_ == State::is_ready)
            state_ = own_.end() ? State::is_over : State::ends;
    }
    Instant due() const noexcept override { return state_ == State::waits ? own_.due() : never; }
    bool wants_content() const noexcept override {
        return state_ == State::waits && own_.wants_content();
    }
    bool takes_over(const Remains& remains) noexcept override {
        return (state_ == State::waits || state_ == State::ends) && own_.takes_over(remains);
    }
    auto result() { return settled_.get(); }

   private:
    enum class State : unsigned char { waits, is_ready, ends, is_over };

    Own& own_;
    Settled<Result> settled_{};
    State state_ = State::waits;
};

/// A coroutine beside others of the same request.
class Branch : public Part {
   public:
    bool is_over(Instant now) noexcept override;
    void end() noexcept override;
    Instant due() const noexcept override { return is_running() ? runner_->due() : never; }
    bool wants_content() const noexcept override {
        return is_running() && runner_->wants_content();
    }
    bool takes_over(const Remains& remains) noexcept override {
        return runner_ && runner_->leave(remains);
    }

   protected:
    template <typename Promise>
    void run(std::coroutine_handle<Promise> frame, const Runner& of) noexcept {
        runner_.emplace(of.waker(), of.jobs());
        runner_->adopt(frame);
        runner_->run();
    }

   private:
    virtual void take_result() noexcept = 0;
    bool is_running() const noexcept { return runner_ && !is_over_ && !ends_; }
    void end_now() noexcept;

    std::optional<Runner> runner_{};  // null before begin(), and after an early end
    bool is_over_ = false;
    bool ends_ = false;
};

template <typename Value>
class TaskPart final : public Branch {
   public:
    using Result = Value;

    /// Throws std::logic_error if the task is empty, or was awaited.
    explicit TaskPart(Task<Value>&& task) : task_{std::move(task)} { task_.awaited(); }
    void begin(Runner& of) noexcept override {
        frame_ = task_.release();
        run(frame_, of);
    }
    bool has_failed() const noexcept override { return settled_.has_failed(); }
    void rethrow() override { static_cast<void>(settled_.get()); }
    Value result() { return settled_.get(); }

   private:
    void take_result() noexcept override {
        settled_.take([this]() -> Value { return frame_.promise().take(); });
    }

    Task<Value> task_;
    std::coroutine_handle<Promise<Value>> frame_{};
    Settled<Value> settled_{};
};

template <typename Awaitable>
struct PartOf {
    static_assert(!(std::is_lvalue_reference_v<Awaitable> &&
                    (std::derived_from<std::remove_cvref_t<Awaitable>, Awaited> ||
                     is_task<std::remove_cvref_t<Awaitable>>)),
                  "await this in the expression that makes it, or move it there");
    using Type = std::conditional_t<std::derived_from<Awaitable, Awaited>, OwnPart<Awaitable>,
                                    WaitForForeign<Awaitable, OwnPart>>;
};
template <typename Value>
struct PartOf<Task<Value>> {
    using Type = TaskPart<Value>;
};

/// Several parts. Once the first one is over, or all, or one has failed, the others end early. The
/// wait is over when no thread works on any of them.
class Parts : public Awaited {
   public:
    bool begin(Runner& of) noexcept;
    bool is_ready(Instant now) noexcept final;
    Instant due() const noexcept override;
    bool wants_content() const noexcept override;
    bool end() noexcept override;
    bool takes_over(const Remains& remains) noexcept override;
    /// Called by each thread that has worked for a part of a request that has ended.
    void release() noexcept;

   protected:
    /// `main`: until the part 0 is over.
    enum class Until : unsigned char { first, all, main };
    explicit Parts(Until until) noexcept : until_{until} {}
    ~Parts() = default;
    /// The part that ended the wait: the first one that was over or, of all, that has failed.
    std::size_t first() const noexcept { return first_; }
    bool has_failed() const noexcept { return part(first_).has_failed(); }
    /// Throws the exception of the part that ended the wait, if it has failed.
    void rethrow() const {
        if (has_failed()) part(first_).rethrow();
    }
    bool is_decided() const noexcept { return is_decided_; }
    /// Runs the part, which begins if it has not, and notes if it is over.
    bool run(std::size_t index, Instant now) noexcept;
    /// Called when a part that was over is removed.
    void forget() noexcept { --begun_; }

   private:
    virtual Part& part(std::size_t index) const noexcept = 0;
    virtual std::size_t count() const noexcept = 0;
    /// Runs what waits, until it is decided that the wait ends.
    virtual void run_all(Instant now) noexcept;
    bool have_ended(Instant now) noexcept;

    Runner* of_ = nullptr;
    Remains remains_{};
    std::atomic<std::size_t> shares_ = 0;  // in the frame, after the end of the request
    std::size_t begun_ = 0;
    std::size_t first_ = 0;
    Until until_;
    bool is_decided_ = false;
};

}  // namespace weir::web::detail
