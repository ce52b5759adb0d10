#pragma once

#include <functional>
#include <optional>
#include <system_error>
#include <vector>

#include "engines/host.h"
#include "http/layer.h"
#include "net/epoll.h"
#include "server/admin/admin.h"
#include "server/entrance/renewals.h"
#include "server/trouble_reports.h"
#include "weir/server/log.h"

namespace weir::server {

/// What a server does beside its engine while that runs: it tells of troubles, renews certificates,
/// and answers the admin's clients. Each has a thread. Where the engine forks, the process has no
/// other thread: then they are a chore of the engine (Host::chore).
class Chores {
   public:
    /// `tls` and `admin` may be null. Throws std::system_error if the system has no descriptor left.
    Chores(Log& log, http::Layer* tls, Admin* admin);
    /// The clients of the admin are closed.
    ~Chores();
    Chores(const Chores&) = delete;
    Chores& operator=(const Chores&) = delete;

    /// Throws std::system_error if the system cannot start a thread.
    void start_threads();
    /// In place of threads.
    std::error_code give_to(engines::Host& host);

   private:
    std::error_code add(int fd, std::function<void()> run);

    TroubleTeller teller_;
    std::optional<Renewals> renewals_;
    Admin* const admin_;
    net::Epoll epoll_;
    std::vector<std::function<void()>> all_;
};

}  // namespace weir::server
