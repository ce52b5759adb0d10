#include "compress/stream/helpers.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/background_thread.h"
#include "base/troubles.h"

namespace weir::compress {

namespace {

/// More threads than processors would not compress faster.
std::size_t useful_threads(std::size_t most) noexcept {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most);
}

}  // namespace

Helpers::~Helpers() {
    {
        const std::lock_guard lock{mutex_};
        ends_ = true;
        // Releases the tasks one after the other: recursion along a long chain could overflow the
        // stack.
        while (first_) first_ = std::move(first_->next);
    }
    changed_.notify_all();
    if (process_ != ::getpid()) return;  // fork(2) has not copied the threads
    for (std::size_t i = 0; i < started_; ++i) ::pthread_join(threads_[i], nullptr);
}

bool Helpers::take(std::shared_ptr<EncodingTask> task) noexcept {
    const std::lock_guard lock{mutex_};
    if (std::exchange(process_, ::getpid()) != process_) started_ = idle_ = 0;
    static const std::size_t useful = useful_threads(threads_max);
    if (idle_ <= waiting_ && started_ < useful && !start_thread() && started_ == 0) return false;
    task->send_away();
    EncodingTask* const added = task.get();
    (last_ != nullptr ? last_->next : first_) = std::move(task);
    last_ = added;
    ++waiting_;
    changed_.notify_one();
    return true;
}

/// Blocks signals, which belong to the program's own threads.
bool Helpers::start_thread() noexcept {
    const NoSignals none;
    const bool has_started = ::pthread_create(&threads_[started_], nullptr, run, this) == 0;
    if (!has_started) {
        troubles().note(Trouble::threads);
        return false;
    }
    ::pthread_setname_np(threads_[started_], "weir-compress");
    ++started_;
    return true;
}

void* Helpers::run(void* self) noexcept {
    static_cast<Helpers*>(self)->work();
    return nullptr;
}

void Helpers::work() noexcept {
    while (const auto task = next_task()) {
        if (task->is_abandoned()) continue;
        task->work();
        task->come_back();
    }
}

/// Waits for a task. Null at the end.
std::shared_ptr<EncodingTask> Helpers::next_task() noexcept {
    std::unique_lock lock{mutex_};
    ++idle_;
    changed_.wait(lock, [this] { return ends_ || first_; });
    --idle_;
    if (ends_) return nullptr;
    auto task = std::exchange(first_, nullptr);
    first_ = std::move(task->next);
    if (!first_) last_ = nullptr;
    --waiting_;
    return task;
}

}  // namespace weir::compress
