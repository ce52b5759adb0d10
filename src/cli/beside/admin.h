#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/beside/accept_queues.h"
#include "net/event_fd.h"
#include "weir/http/handler.h"
#include "weir/server/metrics.h"
#include "weir/server/options.h"
#include "weir/server/server.h"

namespace weir::cli {

/// The pages of --admin, served by a process beside the server: it answers however busy the server
/// is, and under every engine. It ends with the server, and is started again if it dies.
class Admin {
   public:
    /// `address` is as of --bind; empty: there are no pages. `settings` is as of admin_pages().
    /// Sockets that `of_server` was given are taken over. Returns the reason why it can't listen, as
    /// a sentence; empty if it can. To call before the server is made.
    std::string listen(const std::string& address, std::string settings,
                       const server::Options& of_server);
    /// The counters for Options::metrics; null: none.
    server::Metrics* metrics() noexcept { return metrics_ ? &*metrics_ : nullptr; }
    /// With the actual port; empty: there are no pages.
    const std::string& address() const noexcept { return address_; }
    /// For the next generation.
    std::vector<int> sockets() const;
    /// Starts the process, for a server that has these addresses. To call in a process with one
    /// thread, before it enters the sandbox. Returns the reason why it can't, as above.
    std::string start(std::span<const std::string> served, bool is_sandboxed);
    /// The pages end: the next generation has them. Async-signal-safe.
    void retire() const noexcept {
        if (retired_) retired_->signal();
    }

   private:
    int serve(bool is_sandboxed);

    std::optional<server::Metrics> metrics_;
    std::optional<net::EventFd> retired_;
    AcceptQueues queues_;
    std::unique_ptr<http::Handler> pages_;
    server::Options options_;
    std::unique_ptr<server::Server> listening_;
    std::string address_;
};

}  // namespace weir::cli
