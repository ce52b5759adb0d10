#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>

#include "net/unique_fd.h"
#include "support/incoming.h"
#include "support/time_limit.h"

namespace weir::tests {

/// A gate is closed until the test opens it, and then stays open. It works across threads and
/// forked processes.
class Gate {
   public:
    Gate() : fd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
        if (!fd_) throw Unexpected{"eventfd"};
    }

    void open() const {
        const std::uint64_t one = 1;
        if (::write(fd_.get(), &one, sizeof one) < 0) throw Unexpected{"gate"};
    }
    bool is_open() const {
        pollfd waited{fd(), POLLIN, 0};
        return ::poll(&waited, 1, 0) > 0;
    }
    /// Waits until the gate is open, and no longer than `most`.
    void await(std::chrono::milliseconds most = time_limit) const {
        pollfd waited{fd(), POLLIN, 0};
        ::poll(&waited, 1, static_cast<int>(most.count()));
    }
    int fd() const { return fd_.get(); }  // readable once the gate is open

   private:
    net::UniqueFd fd_;
};

}  // namespace weir::tests
