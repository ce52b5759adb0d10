#pragma once

#include <poll.h>

#include <functional>
#include <thread>
#include <vector>

#include "net/event_fd.h"
#include "net/waiting/epoll.h"

namespace weir::server {

/// What a server does beside its engine, such as its reports to the operator. A thread does it; but
/// in a process that forks it is Host::housekeeping, as fork(2) copies the calling thread alone. The
/// thread waits in poll(2): a server has no epoll(7) that its engine does not have.
class Housekeeper {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    Housekeeper();
    /// Stops the thread.
    ~Housekeeper();
    Housekeeper(const Housekeeper&) = delete;
    Housekeeper& operator=(const Housekeeper&) = delete;

    /// `run` is called whenever `fd` is readable, and must not throw. Before the calls below.
    void add(int fd, std::function<void()> run);

    /// Returns a descriptor that is readable while a task is due. Throws std::system_error if the
    /// system has none left.
    int open_fd();
    /// Runs the tasks that are due.
    void run() { run_within(0); }

    /// Runs the tasks in a thread from now on. Throws std::system_error if the system cannot start
    /// one.
    void start_thread();

   private:
    void run_within(int milliseconds);

    std::vector<pollfd> watched_;
    std::vector<std::function<void()>> tasks_;  // for each of these
    net::Epoll all_;
    net::EventFd stop_;
    bool is_stopping_ = false;  // of the thread
    std::thread thread_;
};

}  // namespace weir::server
