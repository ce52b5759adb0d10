#include "weir/web/task_group.h"

namespace weir::web {

void TaskGroup::start(Task<> task) {
    tasks_.push_back(std::make_unique<detail::TaskPart<void>>(std::move(task)));
}

namespace detail {

/// A task that ends may be what another one waits for, so all are looked at again.
void GroupedTasks::run_all(Instant now) noexcept {
    for (bool has_one_ended = true; has_one_ended && !is_decided();) {
        has_one_ended = false;
        for (std::size_t i = 0; i < 1 + group_.count() && !is_decided(); ++i) {
            if (!run(i, now) || is_decided()) continue;
            group_.tasks_.erase(group_.tasks_.begin() + static_cast<std::ptrdiff_t>(--i));
            forget();
            has_one_ended = true;
        }
    }
}

}  // namespace detail
}  // namespace weir::web
