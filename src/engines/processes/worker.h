#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "net/child.h"
#include "net/event_fd.h"
#include "net/stop_signal.h"
#include "weir/base/now.h"

namespace weir::engines {

/// A worker process, as its supervisor knows it. The destructor kills the process if it still runs.
class Worker {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    Worker(std::string_view slot_name, Instant now);

    /// Forks the process, which calls `serve` and ends with its result.
    std::error_code start(const std::function<int()>& serve);

    // ---- in the worker's process ----

    /// The supervisor requests this stop, and so does SIGTERM.
    net::StopSignal& stop() noexcept { return stop_; }
    /// The worker serves from now on.
    void report_ready() const noexcept { ready_.signal(); }
    /// The loop signals it when it accepts no more.
    const net::EventFd& closed() const noexcept { return closed_; }
    /// The loop clears it when the supervisor asks.
    const net::EventFd& pulse() const noexcept { return pulse_; }

    /// In a sibling's process: the supervisor's descriptors for this worker are of no use there.
    void leave_to_supervisor() noexcept { child_->leave_to_parent(); }

    // ---- in the supervisor's process ----

    /// Adds the descriptors that become readable if a function below has a new result: at most so
    /// many.
    static constexpr std::size_t watched_max = 4;
    void watch(std::vector<pollfd>& watched) const;
    /// Whether the worker has begun to serve since the last call.
    bool has_become_ready() noexcept;
    bool is_ready() const noexcept { return is_ready_; }
    /// Whether the worker may still accept a client that connects now.
    bool may_accept() noexcept;
    /// Whether the worker stops without a call of retire().
    bool stops_by_itself() const noexcept;
    bool has_ended() const noexcept;

    /// Asks the worker to show that its loop turns. Returns how many questions in a row it has
    /// missed. `forgives`: earlier misses do not count.
    unsigned ask(bool forgives) noexcept;

    /// Tells the worker to finish its requests, until `kill_at` at the latest.
    void retire(Instant kill_at) noexcept;
    bool is_retired() const noexcept { return is_retired_; }
    /// A reload is to replace the worker: the state that it was forked with is out of date.
    void outdate() noexcept { is_outdated_ = true; }
    bool is_outdated() const noexcept { return is_outdated_; }
    /// Tells the worker to cut its connections, until `kill_at` at the latest.
    void cut(Instant kill_at) noexcept;
    Instant kill_at() const noexcept { return kill_at_; }
    void kill() noexcept;

    /// After has_ended(); once.
    net::Exit reap() noexcept { return child_->reap(); }
    std::chrono::milliseconds lived(Instant now) const noexcept {
        return std::chrono::duration_cast<std::chrono::milliseconds>(now - started_);
    }
    /// "worker 2 (pid 4711)"
    const std::string& name() const noexcept { return name_; }

   private:
    net::StopSignal stop_;
    net::EventFd ready_;
    net::EventFd closed_;
    net::EventFd pulse_;  // readable from a question until the loop clears it
    std::optional<net::Child> child_;
    std::string name_;
    Instant started_;
    Instant kill_at_ = never;
    unsigned misses_ = 0;
    bool is_ready_ = false;
    bool is_closed_ = false;
    bool is_outdated_ = false;
    bool is_retired_ = false;
};

}  // namespace weir::engines
