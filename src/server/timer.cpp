#include "server/timer.h"

#include <algorithm>
#include <utility>

#include "base/background_thread.h"

namespace weir::server {

Timer::~Timer() {
    {
        const std::scoped_lock lock{mutex_};
        stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Timer::start() {
    std::call_once(started_, [this] { thread_ = start_background_thread([this] { run(); }); });
}

void Timer::run_after(Clock::duration delay, Task task) {
    const auto due = Clock::now() + delay;
    bool is_first = false;
    {
        const std::scoped_lock lock{mutex_};
        is_first = entries_.empty() || due < entries_.front().due;
        entries_.push_back({due, std::move(task)});
        std::ranges::push_heap(entries_, Later{});
    }
    // The thread sleeps until the earliest deadline, so only an earlier one must wake it. If all
    // delays are equal, this happens only when no task waits: under load, no call wakes the thread.
    if (is_first) changed_.notify_one();
}

void Timer::run() {
    std::unique_lock lock{mutex_};
    while (!stopping_) {
        if (entries_.empty()) {
            changed_.wait(lock);
        } else if (const auto first = entries_.front().due; Clock::now() < first) {
            changed_.wait_until(lock, first);
        } else {
            Task task = take_first();
            lock.unlock();
            task();
            task = nullptr;  // outside the lock: the destructors of its captures may be slow
            lock.lock();
        }
    }
}

Timer::Task Timer::take_first() {
    std::ranges::pop_heap(entries_, Later{});
    Task task = std::move(entries_.back().task);
    entries_.pop_back();
    return task;
}

}  // namespace weir::server
