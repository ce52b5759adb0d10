#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "net/child.h"
#include "net/unique_fd.h"
#include "supervisor/channel.h"
#include "supervisor/handover.h"
#include "supervisor/link.h"
#include "supervisor/program.h"
#include "supervisor/state.h"
#include "weir/base/now.h"

namespace weir::supervisor {

/// One run of the server, as a child process. This class reaps the process. If the object is
/// destroyed earlier, the process continues.
class Generation {
   public:
    /// The exit code of a process in which the program could not be started.
    static constexpr int cannot_run = 127;

    /// `given` has the number and the sockets of the generation.
    static std::expected<Generation, std::error_code> start(const Program& program, Handover given,
                                                            Instant now);
    /// A generation that the earlier program of this process has started. Takes the descriptors.
    static Generation resume(const KeptGeneration& kept, Instant now);
    /// The state for resume(). The descriptors stay those of this object.
    KeptGeneration keep(Instant now) const;

    pid_t pid() const noexcept { return pid_; }
    std::string name() const;                                         // "generation 2 (pid 4711)"
    const std::string& version() const noexcept { return version_; }  // of weir
    void watch(std::vector<pollfd>& watched) const;

    /// Takes the messages that have come.
    void listen();
    /// True if the generation has shown that its loops turn, since the last call.
    bool take_alive() noexcept { return std::exchange(is_alive_, false); }
    /// From now on, only the end of the process counts.
    void ignore_messages() noexcept { is_silent_ = true; }
    bool is_ready() const noexcept { return stops_within_.has_value(); }
    /// How long the generation's stop may take; nothing before it is ready.
    std::optional<std::chrono::milliseconds> stops_within() const noexcept { return stops_within_; }
    /// The sockets that the generation listens on. Complete when it is ready.
    std::vector<net::UniqueFd> take_sockets() noexcept { return std::move(sockets_); }
    /// A descriptor of the file with its options, for the next generation; -1: none.
    int settings() const noexcept { return settings_.get(); }
    /// A descriptor of the file with the secret of its session tickets. Complete when it is ready.
    net::UniqueFd take_tickets() noexcept { return std::move(tickets_); }
    /// A descriptor of the file with the counts of its requests. Complete when it is ready.
    net::UniqueFd take_counters() noexcept { return std::move(counters_); }
    /// The options that differ from those of the generation before, in words; may be empty.
    const std::string& changed() const noexcept { return changed_; }
    /// The first line of the generation's last `said` message; may be empty.
    const std::string& said() const noexcept { return said_; }

    void order(Order order) const noexcept;
    void kill() const noexcept;
    /// Returns how the process ended; nothing while it runs.
    std::optional<net::Exit> reap() noexcept;
    std::chrono::milliseconds lived(Instant now) const noexcept {
        return std::chrono::duration_cast<std::chrono::milliseconds>(now - started_);
    }

   private:
    Generation(unsigned number, pid_t pid, net::UniqueFd channel, net::UniqueFd pidfd, Instant now)
        : number_{number},
          pid_{pid},
          channel_{std::move(channel)},
          pidfd_{std::move(pidfd)},
          started_{now} {}

    unsigned number_;
    pid_t pid_;
    net::UniqueFd channel_;
    net::UniqueFd pidfd_;
    Instant started_;
    std::optional<std::chrono::milliseconds> stops_within_{};
    net::UniqueFd settings_{};
    net::UniqueFd tickets_{};
    net::UniqueFd counters_{};
    std::string version_{};
    std::string changed_{};
    std::vector<net::UniqueFd> sockets_{};
    std::string said_{};
    bool is_silent_ = false;  // the generation has closed its end of the channel, or is ignored
    bool is_alive_ = false;
};

}  // namespace weir::supervisor
