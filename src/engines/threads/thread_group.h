#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <system_error>
#include <vector>

namespace weir::engines {

/// Threads that come and go, each with one piece of work, on small stacks. The group's destructor
/// waits for all of them. Of the threads that are done, one joins the others. (If each joined the
/// one before it, they would end one after the other, while new ones start at once: thousands would
/// pile up.)
class ThreadGroup {
   public:
    /// The address space of each thread's stack; the kernel provides memory only for what the
    /// thread touches. It is enough for handlers that don't recurse deeply. The usual 8 MB would
    /// use up the address space of small machines.
    static constexpr std::size_t stack_bytes = 256 * 1024;

    ThreadGroup() = default;
    ThreadGroup(const ThreadGroup&) = delete;
    ThreadGroup& operator=(const ThreadGroup&) = delete;
    /// Waits for all.
    ~ThreadGroup();

    /// Starts a thread that does `work`. If the system has no thread left, returns the error, and
    /// `work` is untouched.
    std::error_code start(std::move_only_function<void()>& work);
    /// Starts a thread that does nothing, and waits for its end: a server that can't have a thread
    /// should not start.
    std::error_code try_one();

   private:
    struct Task;
    static void* enter(void* task);
    void wait();
    void leave();
    void remember_done();
    void join_done(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable all_done_;
    std::size_t running_ = 0;
    bool is_joining_ = false;      // a thread that is done joins the others
    std::vector<pthread_t> done_;  // not joined yet
};

}  // namespace weir::engines
