#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace weir::server {

/// Runs tasks later, all of them on one thread, however many wait: what is due at the same time is
/// run in one go. The thread starts with the first task, in the process that asks for it: a timer
/// may be made before a fork(2) and used after it.
class Timer {
   public:
    using Clock = std::chrono::steady_clock;
    /// Must not throw, nor take long: the others wait for it.
    using Task = std::move_only_function<void()>;

    Timer() = default;
    /// Tasks that are not due yet are destroyed, not run.
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    /// Starts the thread, unless it runs. Throws std::system_error where there is none to be had.
    void start();
    /// Any thread, after start().
    void run_after(Clock::duration delay, Task task);

   private:
    struct Entry {
        Clock::time_point due;
        Task task;
    };
    struct Later {  // for a heap whose first entry is the earliest
        bool operator()(const Entry& left, const Entry& right) const noexcept {
            return left.due > right.due;
        }
    };

    void run();
    /// Moves into `due` what is.
    void take_due(std::vector<Entry>& due);

    std::once_flag started_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable changed_;  // an earlier first entry, or the end
    std::vector<Entry> entries_;       // a heap; guarded
    bool stopping_ = false;            // guarded
};

}  // namespace weir::server
