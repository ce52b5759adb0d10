#include "support/server.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "http/http1/http1_connection.h"
#include "support/process.h"
#include "support/time_limit.h"

namespace weir::tests {
namespace {

std::vector<net::Listener> listen_on(const std::vector<net::Address>& addresses) {
    std::vector<net::Listener> listeners;
    for (const auto& address : addresses) {
        auto listener = net::Listener::open(address);
        if (!listener) throw std::system_error{listener.error(), "listen on " + address.text()};
        listeners.push_back(std::move(*listener));
    }
    return listeners;
}

/// As the server does: an engine may let them through at its start.
std::error_code result_of(const engines::Engine& engine, engines::Host& host) try {
    return engine.run(host);
} catch (const std::bad_alloc&) {
    return std::make_error_code(std::errc::not_enough_memory);
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace

std::unique_ptr<http::Connection> Server::connect_http1(http::Workspace& workspace,
                                                        http::Origin& origin, Now now) {
    return std::make_unique<http::Http1Connection>(workspace, origin, now);
}

net::Address Server::loopback(std::uint16_t port) {
    return net::Address::parse("127.0.0.1", port).value();
}

Server::Server(const engines::Engine& engine, http::Handler& handler, Options options)
    : options_{std::move(options)},
      listeners_{listen_on(options_.addresses)},
      host_{.listeners = listeners_,
            .handler = handler,
            .limits = options_.limits,
            .timeouts = options_.timeouts,
            .observer = options_.observer,
            .stop = stop_,
            .options = options_.engine,
            .connect = options_.connect,
            .within_process =
                [this](engines::Process, const std::function<int()>& serve) {
                    options_.aside([this] { close_clients(listeners_); });
                    return serve();
                },
            .report = [](std::string_view) {},
            .opened =
                [this] {
                    if (options_.opened) options_.opened();
                    opened_or_ended_.release();
                }} {
    std::promise<std::error_code> promise;
    result_ = promise.get_future();
    thread_ = std::thread{[this, &engine, promised = std::move(promise)]() mutable {
        promised.set_value(result_of(engine, host_));
        opened_or_ended_.release();
    }};
    opened_or_ended_.acquire();
}

Server::~Server() {
    stop_now();
    if (thread_.joinable()) wait();
}

bool Server::has_ended() const {
    return result_.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
}

std::error_code Server::wait() {
    if (result_.wait_for(time_limit) != std::future_status::ready) {
        // The thread still uses the members, so nothing can be destroyed.
        std::fputs("the engine does not stop\n", stderr);
        std::abort();
    }
    thread_.join();
    return result_.get();
}

}  // namespace weir::tests
