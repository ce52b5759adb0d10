#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "net/unique_fd.h"
#include "support/incoming.h"
#include "support/time_limit.h"

namespace weir::tests {

/// Closed until the test opens it, for good. Works across threads and forked processes.
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
    /// Whoever calls it waits until then.
    void await() const {
        pollfd waited{fd(), POLLIN, 0};
        ::poll(&waited, 1, static_cast<int>(time_limit.count()));
    }
    int fd() const { return fd_.get(); }  // readable once it is open

   private:
    net::UniqueFd fd_;
};

}  // namespace weir::tests
