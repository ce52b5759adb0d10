#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "net/child.h"
#include "net/epoll.h"
#include "net/stop_signal.h"
#include "net/unique_fd.h"

namespace weir::engines {

/// Processes that come and go, each with one piece of work. None is left when they are destroyed:
/// those that still run are killed.
class Children {
   public:
    /// Before all else.
    std::error_code open() noexcept { return ended_.open(); }

    /// Forks one that does `work`, unless the system has no process left. `socket` is the child's
    /// from then on, and closed here.
    std::error_code start(net::StopSignal& stop, net::UniqueFd& socket,
                          const std::function<int()>& work);

    int fd() const noexcept { return ended_.fd(); }  // readable while one has ended
    /// Removes those that have ended, and tells of those that should not have ended so; returns how
    /// many.
    std::size_t reap(const std::function<void(std::string_view sentence)>& report);

    std::size_t size() const noexcept { return running_.size(); }
    void kill() const noexcept;

   private:
    net::Epoll ended_;
    std::unordered_map<int, net::Child> running_;  // by descriptor
};

}  // namespace weir::engines
