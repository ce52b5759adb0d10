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

/// How a process ended.
struct Exit {
    bool by_signal = false;
    int number = 0;  // the signal's, or the exit status

    bool is_success() const noexcept { return !by_signal && number == 0; }
    std::string text() const;  // "died of SIGSEGV", "exited with status 2"
};

/// A child process, held by its descriptor (pidfd_open(2)). poll(2) waits for the descriptor
/// together with others, and it never refers to another process. SIGCHLD, and children that are not
/// of this class, are left to the program.
class Child {
   public:
    /// Who may end a child by SIGTERM. Ctrl-C, and signals to a whole process group, reach the
    /// children too. But their parent decides when to stop, and tells them through the StopSignal.
    /// So the children ignore SIGINT, SIGHUP and SIGUSR1.
    enum class Terminated : bool {
        by_anybody,  // the first SIGTERM requests a drain, the second an end at once
        by_parent,   // only the parent, through the StopSignal
    };

    /// Forks. The child calls `run` and passes its result to _exit(2): nothing that was copied from
    /// the parent is destroyed or flushed. The child has one thread, the copy of the one that
    /// called this. Its signals request a stop from `stop`. So does the death of its parent, which
    /// comes as SIGUSR2 (PR_SET_PDEATHSIG); for a pipe, a thread in each child would have to wait.
    /// The parent is the thread that called this, not its process.
    ///
    /// Once there is a child, `given` is closed, to make room for the child's descriptor: `given`
    /// may have taken the last one. If `given` is empty, a descriptor is reserved before the fork.
    ///
    /// If the child's descriptor can't be opened, the child is killed and the error is
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
    /// In another child, which has a copy of this: so that it kills nothing when it is destroyed.
    void leave_to_parent() noexcept { pid_ = 0; }

   private:
    explicit Child(pid_t pid) noexcept : pid_{pid} {}

    pid_t pid_;  // 0: reaped, or left to the parent
    UniqueFd pidfd_;
};

}  // namespace weir::net
