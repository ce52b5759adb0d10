#include "cli/launch/launch.h"

#include <unistd.h>

#include <expected>
#include <memory>
#include <optional>
#include <utility>

#include "acme/acme.h"
#include "cli/announce/banner.h"
#include "cli/announce/bind_advice.h"
#include "cli/announce/browser.h"
#include "cli/announce/qr_code.h"
#include "cli/announce/urls.h"
#include "cli/beside/admin.h"
#include "cli/help/output.h"
#include "cli/launch/certificate_keeper.h"
#include "cli/launch/drain_delay.h"
#include "cli/launch/lock_in.h"
#include "cli/launch/stop_notice.h"
#include "cli/launch/systemd_setup.h"
#include "cli/launch/tls_setup.h"
#include "cli/reload/generation.h"
#include "cli/reload/signals.h"
#include "cli/service/service.h"
#include "engines/engines.h"
#include "net/descriptors.h"
#include "net/listener.h"
#include "net/system/system_limits.h"
#include "server/entrance/endpoint.h"
#include "server/memory_return.h"
#include "server/metrics/shared.h"
#include "weir/sandbox/sandbox.h"
#include "weir/server/log.h"
#include "weir/server/server.h"

namespace weir::cli {
namespace {

using server::Failure;
using server::Server;

/// Returns the reason why the engine cannot run on this machine; empty if it can.
std::string engine_refusal(const std::string& name) {
    const engines::Engine* const engine = engines::find(name);
    const auto reason = engine && engine->unavailable ? engine->unavailable() : std::string_view{};
    if (reason.empty()) return {};
    return "the engine " + name + " cannot run here: " + std::string{reason};
}

/// True on a terminal: only there can a user read which port was chosen.
bool is_interactive() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

/// True if another port would help: the port of Options::port is in use.
bool is_port_taken(const Failure& failure, const server::Options& options) {
    if (failure.code != std::errc::address_in_use || options.port == 0) return false;
    const auto address = server::parse_endpoint(failure.address, 0);
    return address && address->port() == options.port;
}

/// Listens on the first free port after the one that is in use; null if the next hundred are in
/// use, too.
std::unique_ptr<Server> listen_on_next_port(http::Handler& handler, server::Options options) {
    constexpr std::uint16_t tries = 100;
    for (std::uint16_t count = 0; count < tries && options.port < 65'535; ++count) {
        ++options.port;
        auto server = std::make_unique<Server>(handler, options);
        if (server->bind()) return server;
    }
    return nullptr;
}

/// The port of the first address that has one; 0 if no address has one.
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

/// Returns a server that has its addresses, or a message that says why there is none.
std::expected<std::unique_ptr<Server>, std::string> bind_server(std::string_view command,
                                                                http::Handler& handler,
                                                                const server::Options& options) {
    auto server = std::make_unique<Server>(handler, options);
    const auto bound = server->bind();
    if (bound) {
        // An IPv6 socket of systemd may accept IPv4, too.
        if (!passed_sockets().sockets.empty()) return server;
        if (const auto why = unreachable(server->addresses()); !why.empty())
            return std::unexpected{why};
        return server;
    }
    const Failure& failure = bound.error();
    keep_errno(failure.code.value());
    if (!is_port_taken(failure, options))
        return std::unexpected{failure.message() + bind_advice(failure)};
    auto next = listen_on_next_port(handler, options);
    if (!next || !is_interactive()) return std::unexpected{port_taken_message(failure, next.get())};
    say_error(std::string{command} + ": " + failure.address +
              " is taken; using the next free port\n");
    return next;
}

std::string why_engine(std::string_view wanted) {
    return wanted == "auto" ? engines::automatic().why : std::string{};
}

/// Under a supervisor, the next process serves the same sockets, so clients may keep their
/// connections up to the last moment.
server::Options options_of(const Launch& launch) {
    constexpr std::chrono::milliseconds for_last_requests{1'000};
    server::Options options = launch.options.server;
    options.leaves_socket_files = supervisor_link() != nullptr;
    if (supervisor_link()) options.timeouts.last_request = for_last_requests;
    feed_watchdog(options);
    return options;
}

/// Counts on in the memory of the generation before, if there is one, and sends it to the
/// supervisor, for the next one.
void share_counts(server::Metrics* metrics) {
    supervisor::Link* const link = supervisor_link();
    if (!link || !metrics) return;
    net::UniqueFd before = link->take_counters();
    const bool is_first = !before;
    if (!metrics->shared().count_in_file(std::move(before)) && !is_first)
        server::standard_error_log().write(
            server::Severity::info,
            "the counts of --admin begin anew: this version does not count as the one before");
    link->tell_counters(metrics->shared().take_file().get());
}

/// Sends the sockets to the supervisor, and closes the given ones, which the server has duplicated.
void hand_over_sockets(const Server& server, const Admin& admin) {
    close_passed_sockets();
    supervisor::Link* const link = supervisor_link();
    if (!link) return;
    auto sockets = server.sockets();
    for (const int each : admin.sockets()) sockets.push_back(each);
    link->tell_sockets(sockets);
    link->close_sockets();
}

/// From now on, messages on standard error no longer go to the supervisor.
void tell_supervisor(const LaunchOptions& options) {
    supervisor::Link* const link = supervisor_link();
    if (!link) return;
    copy_errors_to({});
    link->tell_ready(options.drain_delay + options.server.stop_timeout);
}

/// No lines if the access log goes to standard error, because it would show the same on the same
/// terminal.
server::RequestLines request_lines(const Launch& launch) {
    using enum server::RequestLines;
    const LaunchOptions& options = launch.options;
    if (!launch.shows_requests || options.quiet || options.server.access_log.path == "-" ||
        ::isatty(STDOUT_FILENO) != 1)
        return none;
    return takes_colour() ? coloured : plain;
}

/// Null if no CA asks.
std::unique_ptr<http::Handler> answer_challenges(http::Handler& handler,
                                                 const acme::Settings& settings) {
    if (settings.hosts.empty()) return nullptr;
    return acme::answering(handler, acme::challenges_path(settings.folder));
}

/// The addresses and the browser that the start shows. Made before the sandbox, in which the
/// process may not ask for the machine's addresses, and may not start a program.
class Addresses {
   public:
    Addresses(const Launch& launch, const Server& server)
        : launch_{launch},
          machine_{machine_addresses()},
          are_local_{server::are_local(server.addresses())} {
        if (launch.shows_qr_code || launch.opens_browser)
            urls_ = urls_of(server.addresses(), machine_, launch.options.tls.on ? "https" : "http");
        if (launch.opens_browser) browser_ = prepare_browser();
    }

    const std::vector<std::string>& of_machine() const noexcept { return machine_; }

    /// Shows the QR code and opens the browser.
    void show() {
        if (launch_.shows_qr_code) print_qr_code();
        if (!launch_.opens_browser) return;
        const auto opened = browser_ ? browser_->open() : std::unexpected{browser_.error()};
        if (!opened) say_error(std::string{launch_.command} + ": --open: " + opened.error() + '\n');
    }

   private:
    std::expected<Browser, std::string> prepare_browser() const {
        const auto& candidates = urls_.here.empty() ? urls_.others : urls_.here;
        if (candidates.empty()) return std::unexpected{"a unix socket has no URL"};
        return Browser::prepare(candidates.front());
    }

    /// The QR code is for a telephone, so the code needs an address that other machines can reach.
    void print_qr_code() const {
        if (urls_.others.empty())
            return say_error(std::string{launch_.command} + ": --qr: no other device can connect" +
                             (are_local_ ? "; add --bind 0.0.0.0\n"
                                         : "; this machine has no address in a network\n"));
        const std::string& url = urls_.others.front();
        if (const auto code = make_qr_code(url)) announce(draw(*code, takes_colour()) + url + '\n');
    }

    const Launch& launch_;
    const std::vector<std::string> machine_;
    const bool are_local_;
    Urls urls_;
    std::expected<Browser, std::string> browser_{std::unexpected{std::string{}}};
};

void print_banner(const Launch& launch, const Server& server, const Addresses& addresses,
                  std::uint32_t descriptors_max, const sandbox::Report* sandbox,
                  const std::string& certificate, const std::string& admin) {
    // The server serves even if standard output fails.
    announce(banner({.served = launch.served,
                     .addresses = server.addresses(),
                     .has_tls = launch.options.tls.on,
                     .redirect_addresses = server.redirect_addresses(),
                     .certificate = certificate,
                     .admin = admin,
                     .engine = server.engine(),
                     .why_engine = why_engine(launch.options.server.engine),
                     .workers = server.workers(),
                     .machine_addresses = addresses.of_machine(),
                     .has_no_index = launch.has_no_index,
                     .watches_files = !launch.watches_files || launch.watches_files(),
                     .backlog_max = net::backlog_max(),
                     .descriptors_max = descriptors_max,
                     .connections_max = launch.options.server.connections_max,
                     .sandbox = launch.options.verbose ? sandbox : nullptr,
                     .follows = launch.follows}));
}

/// The processes beside the server. Returns why one can't be started; empty if all are.
std::string start_processes(const Launch& launch, const Server& server, CertificateKeeper& keeper,
                            const TlsSetup& tls, Admin& admin) {
    const bool is_sandboxed = !launch.options.no_sandbox;
    if (auto why = keeper.start(tls.acme); !why.empty()) return why;
    if (auto why = admin.start(server.addresses(), is_sandboxed); !why.empty()) return why;
    return launch.start_processes && is_sandboxed ? launch.start_processes() : std::string{};
}

int fail(const Launch& launch, const Failure& failure) {
    keep_errno(failure.code.value());
    return cli::fail(launch.command, failure.message());
}

}  // namespace

int launch(const Launch& launch) {
    if (const auto refusal = engine_refusal(launch.options.server.engine); !refusal.empty())
        return fail(launch.command, refusal);
    if (const auto missing = missing_socket(launch.options.server); !missing.empty())
        return fail(launch.command, missing);
    server::keep_freed_memory();
    const auto descriptors_max = net::raise_descriptor_limit();
    net::read_system_limits();
    server::Options options = options_of(launch);
    const auto tls = set_up_tls(launch.options);
    if (!tls) return fail(launch.command, tls.error());
    options.tls = tls->layer;
    options.request_lines = request_lines(launch);
    CertificateKeeper keeper;
    Admin admin;
    if (const auto why = admin.listen(launch.options.admin, launch.admin_settings, options);
        !why.empty())
        return fail(launch.command, why);
    share_counts(admin.metrics());
    options.metrics = admin.metrics();
    std::function<void()> announce_start;
    options.opened = [&] {
        sandbox::close_rings();
        if (is_first_generation()) announce_start();
        tell_supervisor(launch.options);
        keeper.begin();
    };
    const auto answering = answer_challenges(launch.handler, tls->acme);
    const auto server =
        bind_server(launch.command, answering ? *answering : launch.handler, options);
    if (!server) return fail(launch.command, server.error());
    hand_over_sockets(**server, admin);

    if (const auto refusal = become_user(launch); !refusal.empty())
        return fail(launch.command, refusal);
    if (supervisor_link()) supervisor::Link::stop_with_supervisor();
    if (const auto why = start_processes(launch, **server, keeper, *tls, admin); !why.empty())
        return fail(launch.command, why);
    Addresses addresses{launch, **server};
    const auto sandbox = lock_in(launch, **server, options, tls->reads);
    if (launch.start_threads) launch.start_threads();
    if (const auto listening = (*server)->listen(); !listening)
        return fail(launch, listening.error());

    announce_start = [&] {
        if (!launch.options.quiet)
            print_banner(launch, **server, addresses, descriptors_max,
                         sandbox ? &*sandbox : nullptr, tls->in_words, admin.address());
        addresses.show();
        tell_serving(launch, **server);
    };
    std::optional<DrainDelay> delay;
    if (launch.options.drain_delay.count() != 0)
        delay.emplace(launch.options.drain_delay, SignalHandlers::stop);
    const std::function<void()> leave = [&] {
        if (admin.metrics()) admin.metrics()->leave();
        delay->begin();
    };
    std::optional<StopNotice> notice;
    if (!launch.options.quiet) notice.emplace(**server, launch.options.server.stop_timeout);
    const net::EventFd unheard;
    const SignalHandlers signals{**server, notice ? notice->stopping() : unheard,
                                 [&] {
                                     if (supervisor_link()) admin.retire();
                                     if (launch.stopping) launch.stopping();
                                 },
                                 delay ? leave : std::function<void()>{}};
    const auto served = (*server)->run();
    return served ? exit_code::success : fail(launch, served.error());
}

}  // namespace weir::cli
