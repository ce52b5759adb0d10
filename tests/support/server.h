#pragma once

#include <functional>
#include <future>
#include <memory>
#include <semaphore>
#include <system_error>
#include <thread>
#include <vector>

#include "engines/engines.h"
#include "net/listener.h"
#include "net/stop_signal.h"
#include "support/client.h"
#include "weir/http/limits.h"

namespace weir::tests {

/// Runs an engine on a thread of this process, and listens on loopback.
class Server {
   public:
    using Connect = decltype(engines::Host::connect);
    static std::unique_ptr<http::Connection> connect_http1(http::Workspace& workspace,
                                                           http::Origin& origin, Now now);
    struct Options {
        http::Limits limits{};
        http::Timeouts timeouts{};
        engines::Options engine{};
        http::Observer* observer = nullptr;
        std::vector<net::Address> addresses{loopback(0)};
        Connect connect = connect_http1;  // the protocol
        std::function<void()> opened{};
        /// Around what the test's own code does in a process that the engine forks.
        std::function<void(const std::function<void()>& work)> aside = [](const auto& work) {
            work();
        };
    };

    /// Returns once the engine has opened all that it needs, or has ended: what a test does next, with
    /// few descriptors for example, meets a server that runs. Throws std::system_error if it cannot
    /// listen.
    Server(const engines::Engine& engine, http::Handler& handler, Options options);
    /// Stops the engine at once.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    const net::Address& address(std::size_t listener = 0) const {
        return listeners_[listener].address();
    }
    Client client(Client::Options options = {}) const { return Client{address(), options}; }

    /// Does what the first stop signal does.
    void drain() { stop_.request_drain(); }
    /// Does what the second stop signal does.
    void stop_now() { stop_.request_now(); }
    /// True if run() has returned.
    bool has_ended() const;
    /// Waits until run() has returned; its result.
    std::error_code wait();

    static net::Address loopback(std::uint16_t port);

   private:
    Options options_;
    std::vector<net::Listener> listeners_;
    net::StopSignal stop_;
    std::counting_semaphore<2> opened_or_ended_{0};
    engines::Host host_;
    std::future<std::error_code> result_;
    std::thread thread_;
};

}  // namespace weir::tests
