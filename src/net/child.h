#pragma once

#include <sys/types.h>

#include <expected>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "net/stop_signal.h"
#include "net/unique_fd.h"

namespace weir::net {

/// The end of a process.
struct Exit {
    bool by_signal = false;
    int number = 0;  // of the signal, or the exit status

    bool is_success() const noexcept { return !by_signal && number == 0; }
    std::string text() const;  // "died of SIGSEGV", "exited with status 2"
};

/// Waits for the end of a child process, and reaps it.
Exit reap_child(pid_t pid) noexcept;

/// A child process, held by its descriptor (pidfd_open(2)). poll(2) can wait for the descriptor
/// together with others, and the descriptor never refers to another process. The class does not use
/// SIGCHLD, and does not touch the program's other children.
class Child {
   public:
    /// The processes that may end a child by SIGTERM. Ctrl-C, and signals to a whole process group,
    /// reach the children too. But their parent decides when to stop, and tells them through the
    /// StopSignal. So the children ignore SIGINT, SIGHUP and SIGUSR1.
    enum class Terminated : bool {
        by_anybody,  // the first SIGTERM requests `draining`, the second `now`
        by_parent,   // only the parent, through the StopSignal
    };

    /// Forks. The child calls `run` and passes its result to _exit(2): it destroys and flushes no
    /// object that it has from the parent. The child has one thread, the copy of the calling
    /// thread. Its signals request a stop from `stop`. So does the death of its parent, which comes
    /// as SIGUSR2 (PR_SET_PDEATHSIG); a pipe would need a waiting thread in each child. The kernel
    /// takes the calling thread as the parent, not its process.
    ///
    /// After the fork, start() closes `given`, so that the child's descriptor can take its place:
    /// `given` may be the last descriptor. If `given` is empty, start() reserves a descriptor
    /// before the fork.
    ///
    /// If the child's descriptor can't be opened, start() kills the child, and the error is
    /// killed_at_birth: `run` may have begun.
    static std::expected<Child, std::error_code> start(StopSignal& stop, Terminated terminated,
                                                       UniqueFd& given,
                                                       const std::function<int()>& run);

    static constexpr auto killed_at_birth = std::errc::no_child_process;

    Child(Child&& other) noexcept
        : pid_{std::exchange(other.pid_, 0)}, pidfd_{std::move(other.pidfd_)} {}
    Child& operator=(Child&& other) noexcept {
        std::swap(pid_, other.pid_);
        std::swap(pidfd_, other.pidfd_);
        return *this;
    }
    /// Kills the process, unless it was reaped.
    ~Child();

    pid_t pid() const noexcept { return pid_; }
    int fd() const noexcept { return pidfd_.get(); }  // readable once the process has ended
    void kill() const noexcept;
    /// Waits for the end of the process. Call it once.
    Exit reap() noexcept;
    /// For another child, which has a copy of this object: the destructor of the copy kills
    /// nothing.
    void leave_to_parent() noexcept { pid_ = 0; }

   private:
    explicit Child(pid_t pid) noexcept : pid_{pid} {}

    pid_t pid_;  // 0: reaped, or left to the parent
    UniqueFd pidfd_;
};

}  // namespace weir::net
