#include "server/entrance/chores.h"

#include <utility>

#include "base/last_error.h"

namespace weir::server {

Chores::Chores(Log& log, http::Layer* tls, Admin* admin) : teller_{log}, admin_{admin} {
    if (tls) renewals_.emplace(*tls, log);
}

Chores::~Chores() {
    if (admin_) admin_->close();
}

void Chores::start_threads() {
    teller_.tell_by_a_thread();
    if (renewals_) renewals_->renew_by_a_thread();
    if (admin_) admin_->serve_by_a_thread();
}

std::error_code Chores::give_to(engines::Host& host) {
    teller_.tell_in_forks_too();
    const auto tell = [this] { teller_.tell(); };
    host.chore = engines::Host::Chore{teller_.fd(), tell};
    if (!renewals_ && !admin_) return {};
    if (const auto error = epoll_.open()) return error;
    if (const auto error = add(teller_.fd(), tell)) return error;
    if (renewals_) {
        const auto renew = [this, &host] {
            if (renewals_->renew()) host.reload->signal();  // processes have what was there before
        };
        if (const auto error = add(renewals_->fd(), renew)) return error;
    }
    if (admin_)
        if (const auto error = add(admin_->fd(), [this] { admin_->turn(); })) return error;
    host.chore = engines::Host::Chore{epoll_.fd(), [this] {
                                          for (const auto& chore : all_) chore();
                                      }};
    return {};
}

/// It is called whenever any of them is readable.
std::error_code Chores::add(int fd, std::function<void()> run) {
    all_.push_back(std::move(run));
    return epoll_.add(fd, EPOLLIN, 0) ? std::error_code{} : last_error();
}

}  // namespace weir::server
