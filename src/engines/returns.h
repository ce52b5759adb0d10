#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/peer.h"
#include "net/unique_fd.h"

namespace weir::engines {

/// Where threads give back to their loop the connections that it lent them. Wakes that loop through
/// a descriptor, once for all that came since it last looked.
class Returns {
   public:
    struct Returned {
        Peer* peer;
        bool goes_on;  // there is more to do for it, at once
    };

    /// Throws std::system_error where the system has no descriptor left.
    Returns() : eventfd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
        if (!eventfd_) throw std::system_error{errno, std::generic_category(), "eventfd"};
    }

    void put(Returned returned) {
        const std::scoped_lock lock{mutex_};
        returned_.push_back(returned);
        if (returned_.size() > 1) return;  // the loop has been woken, and has not looked yet
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(eventfd_.get(), &one, sizeof one);
    }

    /// For the loop alone. Readable while there is something to collect.
    int fd() const noexcept { return eventfd_.get(); }
    std::vector<Returned> collect() {
        const std::scoped_lock lock{mutex_};
        std::uint64_t count;
        [[maybe_unused]] const auto size = ::read(eventfd_.get(), &count, sizeof count);
        return std::exchange(returned_, {});
    }

   private:
    net::UniqueFd eventfd_;
    std::mutex mutex_;
    std::vector<Returned> returned_;
};

}  // namespace weir::engines
