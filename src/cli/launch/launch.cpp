#include "cli/launch/launch.h"

#include <unistd.h>

#include <expected>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/launch/banner.h"
#include "cli/launch/browser.h"
#include "cli/launch/qr_code.h"
#include "cli/launch/signals.h"
#include "cli/launch/stop_notice.h"
#include "cli/launch/urls.h"
#include "engines/engines.h"
#include "net/descriptors.h"
#include "net/listener.h"
#include "server/endpoint.h"
#include "weir/server/server.h"

namespace weir::cli {
namespace {

using server::Failure;
using server::Server;

/// Why the engine cannot run on this machine; empty if it can.
std::string engine_refusal(const std::string& name) {
    const engines::Engine* const engine = engines::find(name);
    const auto reason = engine && engine->unavailable ? engine->unavailable() : std::string_view{};
    if (reason.empty()) return {};
    return "the engine " + name + " cannot run here: " + std::string{reason};
}

/// Only on a terminal is there a user who can read which port was chosen.
bool is_interactive() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

/// True if another port would help: the port of Options::port is taken.
bool is_port_taken(const Failure& failure, const server::Options& options) {
    if (failure.code != std::errc::address_in_use || options.port == 0) return false;
    const auto address = server::parse_endpoint(failure.address, 0);
    return address && address->port() == options.port;
}

/// Listens on the first free port after the one that is taken; null if the next hundred are taken
/// too.
std::unique_ptr<Server> listen_on_next_port(http::Handler& handler, server::Options options) {
    constexpr std::uint16_t tries = 100;
    for (std::uint16_t count = 0; count < tries && options.port < 65'535; ++count) {
        ++options.port;
        auto server = std::make_unique<Server>(handler, options);
        if (server->listen()) return server;
    }
    return nullptr;
}

std::string advice(const Failure& failure) {
    if (failure.code == std::errc::permission_denied && !failure.address.empty() &&
        !failure.address.starts_with("unix:"))
        return "; ports below 1024 need a privilege (CAP_NET_BIND_SERVICE): try --port 8000";
    if (failure.code == std::errc::address_not_available)
        return "; this machine has no such address";
    return {};
}

/// The port of the first address that has one; 0 if none has.
unsigned port_of(const Server& server) {
    for (const std::string& text : server.addresses())
        if (const auto address = server::parse_endpoint(text, 0); address && address->port() > 0)
            return address->port();
    return 0;
}

std::string port_taken_message(const Failure& failure, const Server* next) {
    std::string message = failure.address + " is taken; try ";
    if (next) message += "--port " + std::to_string(port_of(*next)) + ", or ";
    return message + "--port 0 for any free port";
}

/// Returns a server that listens, or a message that says why there is none.
std::expected<std::unique_ptr<Server>, std::string> start(std::string_view command,
                                                          http::Handler& handler,
                                                          const server::Options& options) {
    auto server = std::make_unique<Server>(handler, options);
    const auto listening = server->listen();
    if (listening) return server;
    const Failure& failure = listening.error();
    if (!is_port_taken(failure, options))
        return std::unexpected{failure.message() + advice(failure)};
    auto next = listen_on_next_port(handler, options);
    if (!next || !is_interactive()) return std::unexpected{port_taken_message(failure, next.get())};
    say_error(std::string{command} + ": " + failure.address +
              " is taken; using the next free port\n");
    return next;
}

std::string why_engine(std::string_view wanted) {
    return wanted == "auto" ? engines::automatic().why : std::string{};
}

/// Off if the access log goes to standard error: it would show the same on the same terminal.
server::RequestLines request_lines(const Launch& launch) {
    using enum server::RequestLines;
    const LaunchOptions& options = launch.options;
    if (!launch.shows_requests || options.quiet || options.server.access_log.path == "-" ||
        ::isatty(STDOUT_FILENO) != 1)
        return none;
    return takes_colour() ? coloured : plain;
}

void print_banner(const Launch& launch, const Server& server, std::uint32_t descriptors_max) {
    // Serve even if standard output fails.
    say(banner({.served = launch.served,
                .addresses = server.addresses(),
                .engine = server.engine(),
                .why_engine = why_engine(launch.options.server.engine),
                .workers = server.workers(),
                .machine_addresses = machine_addresses(),
                .has_no_index = launch.has_no_index,
                .watches_files = launch.watches_files,
                .backlog_max = net::backlog_max(),
                .descriptors_max = descriptors_max,
                .connections_max = launch.options.server.connections_max}));
}

/// The QR code is for a telephone, so it needs an address that other machines can reach.
void print_qr_code(const Launch& launch, const Urls& urls) {
    if (urls.others.empty())
        return say_error(std::string{launch.command} +
                         ": --qr: no other device can connect; add --bind 0.0.0.0\n");
    const std::string& url = urls.others.front();
    if (const auto code = make_qr_code(url)) say(draw(*code, takes_colour()) + url + '\n');
}

void show_in_browser(const Launch& launch, const Urls& urls) {
    const auto& candidates = urls.here.empty() ? urls.others : urls.here;
    const auto opened =
        candidates.empty()
            ? std::expected<void, std::string>{std::unexpected{"a unix socket has no URL"}}
            : open_browser(candidates.front());
    if (!opened) say_error(std::string{launch.command} + ": --open: " + opened.error() + '\n');
}

/// Shows the QR code and opens the browser, once clients can connect.
void show_addresses(const Launch& launch, const Server& server) {
    if (!launch.shows_qr_code && !launch.opens_browser) return;
    const Urls urls = urls_of(server.addresses(), machine_addresses());
    if (launch.shows_qr_code) print_qr_code(launch, urls);
    if (launch.opens_browser) show_in_browser(launch, urls);
}

}  // namespace

int launch(const Launch& launch) {
    if (const auto refusal = engine_refusal(launch.options.server.engine); !refusal.empty())
        return fail(launch.command, refusal);
    const auto descriptors_max = net::raise_descriptor_limit();
    server::Options options = launch.options.server;
    options.request_lines = request_lines(launch);
    const auto server = start(launch.command, launch.handler, options);
    if (!server) return fail(launch.command, server.error());

    std::optional<StopNotice> notice;
    if (!launch.options.quiet) {
        print_banner(launch, **server, descriptors_max);
        notice.emplace(**server, launch.options.server.stop_timeout);
    }
    show_addresses(launch, **server);
    const net::EventFd unheard;
    const SignalHandlers signals{**server, notice ? notice->stopping() : unheard};
    const auto served = (*server)->run();
    return served ? exit_code::success : fail(launch.command, served.error().message());
}

}  // namespace weir::cli
