#pragma once

#include <poll.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engines/loop/acceptor.h"
#include "engines/ring/ring_operation.h"
#include "net/ring/ring.h"

namespace weir::engines {

/// Watches the listeners of an acceptor with a ring, as EpollConnections does with epoll(7). The
/// acceptor itself is that of all loops. The ring could accept, too, but it would do so before a
/// connection's request has arrived (docs/decisions/0011-what-the-ring-is-asked-for.md).
class RingListenerWatch {
   public:
    RingListenerWatch(net::Ring& ring, const Acceptor& acceptor)
        : ring_{ring}, acceptor_{acceptor}, is_watched_(acceptor.listeners().size()) {}

    /// After Acceptor::accept(): watches each listener until a connection comes, and again when the
    /// acceptor has taken it and is not paused. Watches none once the loop stops.
    void follow_acceptor(bool stops) {
        if (stops) return end();
        if (acceptor_.is_paused()) return;
        for (std::size_t index = 0; index < is_watched_.size(); ++index) {
            const int fd = acceptor_.listeners()[index].fd();
            if (is_watched_[index] || fd < 0) continue;
            is_watched_[index] = true;
            // EPOLLEXCLUSIVE: of loops that share a queue (a unix socket's siblings), the kernel
            // wakes one.
            ring_.poll(fd, POLLIN | EPOLLEXCLUSIVE, about(Operation::watch_listener, index));
        }
    }
    /// A completion of `watch_listener`.
    void completed(const net::Ring::Completion& completion) noexcept {
        is_watched_[index_of(completion.about)] = false;
    }

    /// No operation is left. An operation keeps its listener open, so the port is not free before
    /// that.
    bool has_ended() const noexcept {
        return std::ranges::find(is_watched_, true) == is_watched_.end();
    }

   private:
    void end() {
        if (std::exchange(is_ending_, true)) return;
        for (std::size_t index = 0; index < is_watched_.size(); ++index)
            if (is_watched_[index])
                ring_.cancel(about(Operation::watch_listener, index), about(Operation::cancel));
    }

    net::Ring& ring_;
    const Acceptor& acceptor_;
    std::vector<bool> is_watched_;  // for each listener
    bool is_ending_ = false;
};

}  // namespace weir::engines
