#pragma once

#include <sys/epoll.h>

#include <algorithm>
#include <cstdint>

#include "engines/loop/acceptor.h"
#include "net/epoll.h"

namespace weir::engines {

/// Whether a loop on epoll(7) is told of those who wait at its acceptor: not while that is paused. Level-
/// triggered: what a turn leaves in the queue is announced again, and a queue that nobody may be
/// taken from would be announced in every turn.
class ListenerWatch {
   public:
    /// `about`: what comes back with the events. `events` besides EPOLLIN: EPOLLEXCLUSIVE or none.
    ListenerWatch(net::Epoll& epoll, Acceptor& acceptor, std::uint64_t about,
                  std::uint32_t events = 0) noexcept
        : epoll_{epoll}, acceptor_{acceptor}, about_{about}, events_{EPOLLIN | events} {}

    /// False where the kernel has no room for it: errno says why.
    bool begin() noexcept {
        is_on_ = true;
        return std::ranges::all_of(acceptor_.listeners(), [this](const auto& listener) {
            return listener.fd() < 0 || epoll_.add(listener.fd(), events_, about_);
        });
    }
    void end() noexcept {
        is_on_ = false;
        for (const auto& listener : acceptor_.listeners()) epoll_.remove(listener.fd());
    }

    /// After Acceptor::accept(), unless the loop stops. Where there is no room for it, the acceptor is paused.
    void follow_acceptor(Instant now) noexcept {
        const bool wanted = !acceptor_.is_paused();
        if (wanted == is_on_) return;
        if (!wanted) return end();
        if (begin()) return;
        end();
        acceptor_.pause(now);
    }

   private:
    net::Epoll& epoll_;
    Acceptor& acceptor_;
    const std::uint64_t about_;
    const std::uint32_t events_;
    bool is_on_ = false;
};

}  // namespace weir::engines
