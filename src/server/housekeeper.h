#pragma once

#include <poll.h>

#include <functional>
#include <thread>
#include <vector>

#include "net/event_fd.h"
#include "net/waiting/epoll.h"

namespace weir::server {

/// Runs the tasks of a server beside its engine, such as its reports to the operator. A thread runs
/// them; but in a process that forks, the engine runs them (Host::housekeeping), because fork(2)
/// copies only the calling thread. The thread waits in poll(2), so that a server has no epoll(7)
/// besides that of its engine.
class Housekeeper {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    Housekeeper();
    /// Stops the thread.
    ~Housekeeper();
    Housekeeper(const Housekeeper&) = delete;
    Housekeeper& operator=(const Housekeeper&) = delete;

    /// Adds a task: `run` is called whenever `fd` is readable, and must not throw. To call before
    /// the functions below.
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
    std::vector<std::function<void()>> tasks_;  // the task of each descriptor in watched_
    net::Epoll all_;
    net::EventFd stop_;
    bool is_stopping_ = false;  // of the thread
    std::thread thread_;
};

}  // namespace weir::server
