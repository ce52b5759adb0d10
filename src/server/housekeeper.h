#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "net/event_fd.h"
#include "net/waiting/epoll.h"

namespace weir::server {

/// What a server does beside its engine, such as its reports to the operator. A thread does it; but
/// in a process that forks it is Host::housekeeping, as fork(2) copies the calling thread alone.
class Housekeeper {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    Housekeeper();
    /// Stops the thread.
    ~Housekeeper();
    Housekeeper(const Housekeeper&) = delete;
    Housekeeper& operator=(const Housekeeper&) = delete;

    /// `run` is called whenever `fd` is readable, and must not throw. Before the calls below. Throws
    /// std::system_error if the kernel has no memory for the watch.
    void add(int fd, std::function<void()> run);

    int fd() const noexcept { return epoll_.fd(); }  // readable while a task is due
    /// Runs the tasks that are due.
    void run() { run_within(0); }

    /// Runs the tasks in a thread from now on. Throws std::system_error if the system cannot start
    /// one.
    void start_thread();

   private:
    void run_within(int milliseconds);

    std::vector<std::function<void()>> tasks_;
    net::Epoll epoll_;
    net::EventFd stop_;
    bool is_stopping_ = false;  // of the thread
    std::thread thread_;
};

}  // namespace weir::server
