#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "engines/contract/engine_figures.h"
#include "net/address.h"
#include "net/child.h"
#include "net/stop_signal.h"
#include "net/unique_fd.h"
#include "net/waiting/epoll.h"

namespace weir::engines {

/// Processes that come and go, each with one piece of work. The destructor kills those that still
/// run.
class Children {
   public:
    /// Before the other calls. `other`: a further descriptor to watch; -1: none. `figures` show the
    /// number of processes; they may be null.
    std::error_code open(int other, EngineFigures* figures = nullptr) noexcept;

    /// Forks a process that does `work`. `socket` belongs to the child from then on, and is closed
    /// here; if the system has no process left, it stays open.
    std::error_code start(net::StopSignal& stop, net::UniqueFd& socket,
                          const std::function<int()>& work, const net::PeerAddress& peer);

    int fd() const noexcept { return ended_.fd(); }  // readable if one has ended, or `other` is
    /// Removes the processes that have ended. Calls `ended` with the peer of each, and reports each
    /// that did not succeed.
    void reap(const std::function<void(std::string_view sentence)>& report,
              const std::function<void(const net::PeerAddress& peer)>& ended);

    /// Whether the last reap() found `other` readable.
    bool other_is_readable() const noexcept { return other_is_readable_; }

    std::size_t size() const noexcept { return running_.size(); }
    void kill() const noexcept;

   private:
    void show() const noexcept;

    net::Epoll ended_;
    EngineFigures* figures_ = nullptr;
    int other_ = -1;
    bool other_is_readable_ = false;
    struct Running {
        net::Child child;
        net::PeerAddress peer;
    };
    std::unordered_map<int, Running> running_;  // by descriptor
};

}  // namespace weir::engines
