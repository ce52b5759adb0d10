#pragma once

#include <poll.h>
#include <sys/types.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "net/unique_fd.h"

namespace weir::tests {

/// A second thread, for handlers that answer or wake from another thread. It also works in forked
/// processes: each process that uses it gets a thread of its own.
class Background {
   public:
    using Task = std::function<void()>;

    Background();
    ~Background();
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    void soon(Task task) { when_readable(-1, std::move(task)); }
    /// Runs `task` once the descriptor (of a gate) is readable. Tasks that are left when this
    /// object is destroyed never run.
    void when_readable(int fd, Task task);

   private:
    struct Entry {
        int fd;
        Task task;
    };

    void ensure_thread();
    void become_child();
    void run();
    std::vector<Entry> take_ready();
    void wait_for_any();
    void ring() const;

    net::UniqueFd event_;
    std::mutex mutex_;
    std::vector<Entry> entries_;     // guarded by mutex_
    std::vector<pollfd> waited_;     // its thread's
    bool stopping_ = false;          // guarded by mutex_
    std::atomic<pid_t> process_{0};  // the process in which `thread_` runs
    std::thread thread_;
};

}  // namespace weir::tests
