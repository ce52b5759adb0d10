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

/// A child process, held by its descriptor (pidfd_open(2)): that can be waited for with everything
/// else, never means another process, and leaves SIGCHLD, and children that are not ours, to the
/// program.
class Child {
   public:
    /// Who ends a child by SIGTERM. Ctrl-C, and whoever signals a whole group, reach the children
    /// too; but their parent decides, and tells them by the StopSignal. So they ignore the rest.
    enum class Terminated : bool {
        by_anybody,  // the first SIGTERM requests a drain, the second an end at once
        by_parent,   // through the StopSignal alone
    };

    /// Forks. The child calls `run` and ends with what that returns, by _exit(2): what was copied
    /// from the parent is neither destroyed nor flushed, and no other thread was copied. Its signals
    /// go to `stop`. So does its parent's death, as SIGUSR2 (PR_SET_PDEATHSIG): a pipe's end would
    /// need somebody to watch it, in each child. The parent is the thread that called this.
    ///
    /// `given` is closed here once there is a child, to make room for the child's own descriptor: the
    /// one may have been the last. Empty: room is looked for before.
    ///
    /// Where it could not be held, it is killed, and that is the error: it may have begun.
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
    /// Kills it, unless it was reaped.
    ~Child();

    pid_t pid() const noexcept { return pid_; }
    int fd() const noexcept { return pidfd_.get(); }  // readable once it has ended
    void kill() const noexcept;
    /// Waits for its end; once.
    Exit reap() noexcept;

   private:
    explicit Child(pid_t pid) noexcept : pid_{pid} {}

    pid_t pid_;  // 0: reaped
    UniqueFd pidfd_;
};

}  // namespace weir::net
