#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace weir::server {

/// Runs tasks after a delay, all of them on one thread, and all tasks that are due in one pass.
/// start() starts the thread, in the process that calls it: a timer may be made before a fork(2)
/// and used after it.
class Timer {
   public:
    using Clock = std::chrono::steady_clock;
    /// A task must not throw, and must be short, because other tasks wait for it.
    using Task = std::move_only_function<void()>;

    Timer() = default;
    /// Destroys the tasks that are not due yet, without running them.
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    /// Starts the thread unless it is running. Throws std::system_error if the system cannot start
    /// it.
    void start();
    /// Any thread may call it after start().
    void run_after(Clock::duration delay, Task task);

   private:
    struct Entry {
        Clock::time_point due;
        Task task;
    };
    struct Later {  // puts the earliest entry first in the heap
        bool operator()(const Entry& left, const Entry& right) const noexcept {
            return left.due > right.due;
        }
    };

    void run();
    Task take_first();

    std::once_flag started_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable changed_;  // there is a new earliest entry, or the timer stops
    std::vector<Entry> entries_;       // a heap; guarded by the mutex
    bool stopping_ = false;            // guarded by the mutex
};

}  // namespace weir::server
