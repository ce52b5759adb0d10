#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <system_error>
#include <vector>

namespace weir::engines {

/// Threads that come and go, each with one piece of work, on small stacks. None is left when the
/// group is destroyed: of those that are done, one joins the others. (Did each join the one before
/// it, they would end one after the other, while others start at once: thousands would pile up.)
class ThreadGroup {
   public:
    /// Of each thread: what it doesn't touch, the kernel doesn't provide. Enough for handlers that
    /// don't recurse deeply; the usual 8 MB would use up the address space of small machines.
    static constexpr std::size_t stack_bytes = 256 * 1024;

    ThreadGroup() = default;
    ThreadGroup(const ThreadGroup&) = delete;
    ThreadGroup& operator=(const ThreadGroup&) = delete;
    /// Waits for all.
    ~ThreadGroup();

    /// Takes `work`, unless the system has no thread left: it is untouched then.
    std::error_code start(std::move_only_function<void()>& work);

   private:
    struct Task;
    static void* enter(void* task);
    void leave();
    void join_done(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable all_done_;
    std::size_t running_ = 0;
    bool is_joining_ = false;      // one that leaves does
    std::vector<pthread_t> done_;  // not joined yet
};

}  // namespace weir::engines
