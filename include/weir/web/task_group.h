#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/web/await.h"
#include "weir/web/part.h"

namespace weir::web {

class TaskGroup;

namespace detail {

class GroupedTasks;

/// The wait until a group has no task left.
class [[nodiscard("all() does nothing without co_await")]] AllTasks final : public Awaited {
   public:
    explicit AllTasks(const TaskGroup& group) noexcept : group_{group} {}
    bool begin(Runner&) const noexcept { return !is_empty(); }
    void await_resume() const noexcept {}
    bool is_ready(Instant) noexcept override { return is_empty(); }

   private:
    bool is_empty() const noexcept;

    const TaskGroup& group_;
};

}  // namespace detail

/// Coroutines beside the one that starts them; see task_group(). All belong to the same request, and
/// run on the thread of its connection, one at a time.
class TaskGroup {
   public:
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    /// The task begins when the present coroutine waits. Throws std::logic_error if it is empty, or
    /// was awaited.
    void start(Task<> task);
    /// `co_await tasks.all()`: returns when all that were started have ended.
    detail::AllTasks all() const noexcept { return detail::AllTasks{*this}; }
    /// The number of tasks that have not ended.
    std::size_t count() const noexcept { return tasks_.size(); }

   private:
    friend class detail::GroupedTasks;
    TaskGroup() noexcept = default;  // task_group() makes one, and runs what it starts
    std::vector<std::unique_ptr<detail::TaskPart<void>>> tasks_{};
};

namespace detail {

inline bool AllTasks::is_empty() const noexcept { return group_.count() == 0; }

/// The wait for a coroutine and the tasks that it starts.
class GroupedTasks : public Parts {
   protected:
    GroupedTasks() noexcept : Parts{Until::main} {}
    ~GroupedTasks() = default;
    void clear() noexcept { group_.tasks_.clear(); }

    TaskGroup group_{};

   private:
    void run_all(Instant now) noexcept override;
    virtual Part& main() const noexcept = 0;
    Part& part(std::size_t index) const noexcept override {
        return index == 0 ? main() : *group_.tasks_[index - 1];
    }
    std::size_t count() const noexcept override { return 1 + group_.count(); }
};

template <typename Value>
class [[nodiscard("task_group() does nothing without co_await")]] GroupOf final
    : public GroupedTasks {
   public:
    template <typename Give>
    GroupOf(std::in_place_t /*made here*/, Give&& give)  // NOLINT(*-missing-std-forward)
        : main_{std::forward<Give>(give)(group_)} {}
    GroupOf(const GroupOf&) = delete;
    GroupOf& operator=(const GroupOf&) = delete;
    ~GroupOf() { clear(); }  // the tasks may use objects of the main coroutine
    Value await_resume() {
        rethrow();
        return main_.result();
    }

   private:
    Part& main() const noexcept override { return main_; }

    mutable TaskPart<Value> main_;
};

template <typename Result>
struct GroupFor;
template <typename Value>
struct GroupFor<Task<Value>> {
    using Type = GroupOf<Value>;
};

}  // namespace detail

/// `co_await task_group([&](TaskGroup& tasks) -> Task<> { tasks.start(tick(socket)); ... })`: runs
/// the coroutine and the tasks that it starts beside each other. Returns the coroutine's result. No
/// task outlives the group: when the coroutine returns, tasks that still run end where they wait, as
/// with when_any(). To wait for them, it awaits tasks.all(). If one throws, all others end, and the
/// exception is thrown.
///
/// Tasks may use objects of the coroutine that awaits the group. Those of the group's own coroutine
/// end when it returns: it must await tasks.all() before, if tasks use them.
template <typename Give>
auto task_group(Give&& give) {  // NOLINT(*-missing-std-forward)
    static_assert(!detail::is_destroyed_twice<Give>,
                  "GCC before 13 destroys the captures of this function twice: give it a name, "
                  "`auto run = [...](TaskGroup& tasks) -> Task<> { ... }; co_await "
                  "task_group(run);`");
    constexpr bool is_coroutine = requires(TaskGroup& tasks) {
        typename detail::GroupFor<decltype(std::forward<Give>(give)(tasks))>::Type;
    };
    static_assert(
        is_coroutine,
        "the coroutine of a group takes it by reference: [&](TaskGroup& tasks) -> Task<>");
    if constexpr (is_coroutine && !detail::is_destroyed_twice<Give>)
        return typename detail::GroupFor<std::invoke_result_t<Give, TaskGroup&>>::Type{
            std::in_place, std::forward<Give>(give)};
    else
        return sleep_for({});  // not compiled: see above. This keeps the compiler from saying more
}

}  // namespace weir::web
