#pragma once

#include <string>
#include <thread>

#include "http/layer.h"
#include "net/event_fd.h"
#include "weir/server/log.h"

namespace weir::server {

/// Renews a layer when that asks for it, for as long as it lives, and tells the operator.
class Renewals {
   public:
    /// Both must outlive it. Throws std::system_error if the system has no descriptor left.
    Renewals(http::Layer& layer, Log& log) : layer_{layer}, log_{log} {}
    ~Renewals();
    Renewals(const Renewals&) = delete;
    Renewals& operator=(const Renewals&) = delete;

    /// For a process that forks: call renew() once fd() is readable. True if something was renewed,
    /// for the processes that are forked from now on. Call tell() when no earlier one accepts
    /// connections any more: scripts wait for that line.
    int fd() const noexcept { return layer_.renewal_fd(); }
    bool renew() noexcept;
    void tell() noexcept;

    /// By a thread of its own. Throws std::system_error if the system cannot start one.
    void renew_by_a_thread();

   private:
    void run();

    http::Layer& layer_;
    Log& log_;
    std::string renewed_;  // the sentence for the operator; empty: he was told
    net::EventFd stopping_;
    std::thread thread_;
};

}  // namespace weir::server
