#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "net/address.h"
#include "net/child.h"
#include "net/epoll.h"
#include "net/stop_signal.h"
#include "net/unique_fd.h"

namespace weir::engines {

/// Processes that come and go, each with one piece of work. Those that still run when this is
/// destroyed are killed.
class Children {
   public:
    /// Before the other calls.
    std::error_code open() noexcept { return ended_.open(); }

    /// Forks a process that does `work`. `socket` is the child's from then on, and closed here; if
    /// the system has no process left, it stays open.
    std::error_code start(net::StopSignal& stop, net::UniqueFd& socket,
                          const std::function<int()>& work, const net::PeerAddress& peer);

    int fd() const noexcept { return ended_.fd(); }  // readable if one has ended
    /// Removes the processes that have ended, tells whose each was, and reports each that did not
    /// succeed.
    void reap(const std::function<void(std::string_view sentence)>& report,
              const std::function<void(const net::PeerAddress& peer)>& ended);

    std::size_t size() const noexcept { return running_.size(); }
    void kill() const noexcept;

   private:
    net::Epoll ended_;
    struct Running {
        net::Child child;
        net::PeerAddress peer;
    };
    std::unordered_map<int, Running> running_;  // by descriptor
};

}  // namespace weir::engines
