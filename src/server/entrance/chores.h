#pragma once

#include <functional>
#include <system_error>
#include <utility>

#include "net/waiting/epoll.h"
#include "server/entrance/renewals.h"
#include "server/log/trouble_reports.h"

namespace weir::server {

/// What the process that forks does beside its engine (Host::chore), where it has several things to
/// do.
class Chores {
   public:
    /// `renewed` is called when the processes that were forked before have what is out of date.
    Chores(TroubleTeller& teller, Renewals& renewals, std::function<void()> renewed)
        : teller_{teller}, renewals_{renewals}, renewed_{std::move(renewed)} {}

    std::error_code open() noexcept {
        if (const auto error = epoll_.open()) return error;
        const bool is_added =
            epoll_.add(teller_.fd(), EPOLLIN, 0) && epoll_.add(renewals_.fd(), EPOLLIN, 0);
        return is_added ? std::error_code{} : std::make_error_code(std::errc::not_enough_memory);
    }
    int fd() const noexcept { return epoll_.fd(); }
    void run() {
        teller_.tell();
        if (renewals_.renew()) renewed_();
    }

   private:
    TroubleTeller& teller_;
    Renewals& renewals_;
    std::function<void()> renewed_;
    net::Epoll epoll_;
};

}  // namespace weir::server
