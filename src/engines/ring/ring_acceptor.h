#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "base/now.h"
#include "engines/peer/connection_limit.h"
#include "net/listener.h"
#include "net/ring.h"
#include "net/unique_fd.h"

namespace weir::engines {

/// Where the connections of a loop come in that has a ring: what acceptor.h is to the others. The kernel
/// accepts as they come, which is one operation for all while there is plenty of room, and one each
/// when there is little. Who was accepted into a full house (it fills from several loops) waits here
/// until there is room: one of each listener, and in a rush a few more.
class RingAcceptor {
   public:
    RingAcceptor(net::Ring& ring, ConnectionLimit& limit, std::span<net::Listener> listeners)
        : ring_{ring}, limit_{limit}, listeners_{listeners}, asked_(listeners.size()) {}

    /// Before all else, by the thread that uses the ring.
    void open();

    /// A completion of `accept` or `cancel_accept`.
    void accepted(const net::Ring::Completion& completion, Now now);

    /// `admit(socket)` for those that have come, as far as there is room; asks for more. `last`: a
    /// queue that was emptied is closed.
    template <typename Admit>
    void accept(Now now, bool last, Admit admit) {
        if (now.instant >= resume_at_) resume_at_ = never;
        while (!waiting_.empty() && limit_.acquire()) {
            net::UniqueFd socket = std::move(waiting_.front());
            waiting_.pop_front();
            admit(std::move(socket));
        }
        ask(now, last);
    }

    /// A connection of this loop has closed: there is room.
    void make_room() noexcept { resume_at_ = never; }

    /// When the loop is to come back, unless the ring speaks first.
    Instant next() const noexcept { return hurries_ ? Instant::min() : resume_at_; }

    bool is_closed() const noexcept;
    /// What still waits is reset.
    void close();

   private:
    /// What the kernel was asked for at a listener.
    struct Asked {
        bool pending : 1 = false;
        bool for_many : 1 = false;
        bool for_last : 1 = false;  // after the stop: where it doesn't come at once, nobody waits
        bool canceling : 1 = false;
    };

    void ask(Now now, bool last);
    void ask_at(std::size_t index, bool last);
    void cancel(std::size_t index);
    void pause(Now now) noexcept { resume_at_ = now.instant + ConnectionLimit::pause; }

    net::Ring& ring_;
    ConnectionLimit& limit_;
    std::span<net::Listener> listeners_;
    std::vector<Asked> asked_;  // of each listener
    std::deque<net::UniqueFd> waiting_;
    Instant resume_at_ = never;  // while there is no room
    bool hurries_ = false;
    bool closed_ = false;
};

}  // namespace weir::engines
