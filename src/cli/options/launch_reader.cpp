#include "cli/options/launch_reader.h"

#include <algorithm>
#include <expected>
#include <span>
#include <utility>

#include "cli/option/endpoint_fault.h"
#include "cli/option/near_miss.h"
#include "cli/service/passed_addresses.h"
#include "cli/service/service.h"
#include "engines/engines.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

/// Kubernetes sets WEIR_PORT to a URL in each container beside a service named weir
/// (kubernetes.io, "Accessing the Service", environment variables).
Parsed<std::uint64_t> parse_port(std::string_view text) {
    auto port = parse_count(text, 65'535);
    if (port) return port;
    if (text.starts_with("tcp://"))
        return std::unexpected{port.error() +
                               "; Kubernetes sets it for a service named weir, unless "
                               "enableServiceLinks is false"};
    if (text.contains(','))
        return std::unexpected{port.error() + "; for several, give --bind for each"};
    if (!server::parse_endpoints(text, 0).empty())
        return std::unexpected{port.error() + "; an address is given by --bind " +
                               std::string{text}};
    return port;
}

Parsed<std::uint64_t> parse_workers(std::string_view text) { return parse_count(text, 1'024); }

Parsed<std::uint64_t> parse_streams(std::string_view text) { return parse_count(text, 1'000, 1); }

Parsed<std::uint64_t> parse_32_bits(std::string_view text) {
    return parse_count(text, std::uint32_t{0} - 1);
}

Parsed<std::string> parse_address(std::string_view text) {
    if (is_passed_form(text) || !server::parse_endpoints(text, 0).empty()) return std::string{text};
    return std::unexpected{endpoint_fault(text)};
}

/// An address with its port: metrics at a port that changes with each start could not be found.
Parsed<std::string> parse_admin(std::string_view text) {
    auto address = parse_address(text);
    const auto ports = server::parse_endpoints(text, 1);
    if (!address || is_passed_form(text) || ports.front().is_unix()) return address;
    if (ports.front().port() == server::parse_endpoints(text, 2).front().port()) return address;
    const std::string given{text};
    const bool is_bare = text.contains("::") && !text.starts_with('[');  // of IPv6
    return std::unexpected{"'" + given + "' has no port; write " +
                           (is_bare ? '[' + given + ']' : given) + ":9100"};
}

Parsed<std::string> parse_engine(std::string_view text) {
    if (engines::find(text)) return std::string{text};
    const auto names = engine_names();
    std::string message = "there is no engine '" + std::string{text} + "'";
    const auto meant = did_you_mean(text, names);
    if (!meant.empty()) return std::unexpected{message + meant};
    return std::unexpected{message + "; the engines are " + enumerated(names, " and ")};
}

/// One option sets several limits of the head, because one line may fill the whole head.
Parsed<std::uint64_t> parse_head_size(std::string_view text) {
    constexpr std::uint64_t min = 1'024;
    constexpr std::uint64_t max = std::uint64_t{1} << 20u;
    auto bytes = parse_size(text);
    if (bytes && (*bytes < min || *bytes > max))
        return std::unexpected{"'" + std::string{text} + "' is not between 1K and 1M"};
    return bytes;
}

Parsed<std::uint64_t> parse_memory(std::string_view text) {
    constexpr std::uint64_t min = std::uint64_t{1} << 20u;
    auto bytes = parse_size(text);
    if (bytes && *bytes < min)
        return std::unexpected{"'" + std::string{text} + "' is less than 1M"};
    return bytes;
}

template <typename Value>
Value or_wrong_use(const char* option, std::expected<Value, std::string> value) {
    if (!value) throw WrongUse{std::string{option} + ": " + value.error()};
    return std::move(*value);
}

/// A CA asks at port 80, and needs no answer from other sockets.
std::vector<std::string> at_port_80(const std::vector<std::string>& addresses) {
    std::vector<std::string> found;
    for (const std::string& each : addresses)
        if (const auto address = server::parse_endpoint(each, 0); address && address->port() == 80)
            found.push_back(each);
    return found;
}

/// Names the engines that have `has`: "per-core and prefork have some".
std::string engines_with(bool engines::Engine::* has) {
    std::vector<std::string> names;
    for (const engines::Engine& engine : engines::all())
        if (engine.*has) names.emplace_back(engine.name);
    return enumerated(names, " and ");
}

}  // namespace

void LaunchReader::add() {
    add_server_options();
    tls_.add();
    acme_.add();
    add_privileges();
    add_operation();
    log_.add();
    add_limits();
}

void LaunchReader::add_server_options() {
    reader_.group("Network and engine");
    server::Options& server = options_.server;
    port_ = reader_.value("-p,--port", "PORT", server.port, parse_port,
                          "Port for addresses without one; 0 takes any free port (default: 8000)");
    reader_.values("-b,--bind", "ADDRESS", addresses_, parse_address,
                   "Where to listen, with or without a port: 0.0.0.0, [::1]:8080, :8080 (every "
                   "address), 8080 (127.0.0.1), unix:/path, fd:NAME (of systemd); can be "
                   "repeated (default: 127.0.0.1)");
    reader_.flag("--h2c", server.h2c, "Also serve HTTP/2 without TLS (prior knowledge)");
    reader_.value("-e,--engine", "ENGINE", server.engine, parse_engine,
                  "Concurrency architecture; `weir engines` lists them (default: auto)");
    workers_ = reader_.value(
        "-w,--workers", "N", server.workers, parse_workers,
        "Threads or processes, up to 1024, for engines that have several (by default, one "
        "per core; for engines with a queue, 64)");
    pin_ = reader_.flag("--pin", server.pin, "Tie each worker to one core");
    queue_ = reader_.value("--queue", "N", server.queue_max, parse_32_bits,
                           "Connections or requests that may wait for a worker, for engines with "
                           "a queue (default: 128)");
    queue_delay_ = reader_.value(
        "--queue-delay", "TIME", server.queue_delay_max, parse_duration,
        "Answer 503 while all connections or requests wait longer than this for a worker, for "
        "engines with a queue (by default, they wait)");
    busy_poll_ = reader_.value(
        "--busy-poll", "TIME", server.busy_poll, parse_busy_poll,
        "Poll for this long before sleeping, such as 50us, up to 10ms; for engines on "
        "epoll (default: 0)");
}

void LaunchReader::add_privileges() {
    reader_.group("Privileges");
    reader_.value(
        "--user", "NAME[:GROUP]", options_.user, sandbox::find_user,
        "Become this user after binding the addresses; only root can (by default, weir remains "
        "the user that started it)");
    reader_.flag("--no-sandbox", options_.no_sandbox,
                 "Turn the sandbox off: the limits on files, system calls and core files");
}

void LaunchReader::add_operation() {
    reader_.group("Operation");
    reader_.value("--admin", "ADDRESS", options_.admin, parse_admin,
                  "Where to answer /metrics for Prometheus, /livez, /readyz and /status, such as "
                  "127.0.0.1:9100 or unix:/path (by default, nowhere)");
    reader_.value(
        "--drain-delay", "TIME", options_.drain_delay, parse_duration,
        "Time to go on after the signal that stops weir, while /readyz says that it is not "
        "ready; 0 stops at once (default: 0)");
}

void LaunchReader::add_limits() {
    reader_.group("Limits (times such as 500ms, 10s, 2m, 1h; 0 means no limit)");
    server::Options& server = options_.server;
    http::Timeouts& timeouts = server.timeouts;
    // No response of this program pauses for long; those of other servers may.
    timeouts.pause = timeouts.handler;
    reader_.value("--max-connections", "N", server.connections_max, parse_32_bits,
                  "Connections at once; more wait (by default, as many as the limit on open files "
                  "allows)");
    reader_.value("--max-connections-per-address", "N", server.connections_per_address_max,
                  parse_32_bits,
                  "Connections at once from one IPv4 address or one IPv6 /64; more are closed at "
                  "once (default: 0)");
    reader_.value(
        "--memory", "SIZE", server.memory_max, parse_memory,
        "Memory for unfinished requests and unsent responses of all connections, at least 1M; "
        "beyond it, they are answered 503 (by default, a quarter of what the machine or "
        "its limits allow)");
    reader_.value("--max-requests", "N", server.limits.requests_per_connection_max, parse_32_bits,
                  "Requests on one connection, which then closes (default: 0)");
    reader_.value("--max-streams", "N", server.limits.streams_max, parse_streams,
                  "Requests at a time on one HTTP/2 connection; more are refused (default: 100)");
    reader_.value("--max-head", "SIZE", head_bytes_max_, parse_head_size,
                  "Request line and headers together, 1K to 1M (by default, 32K, and 8K per line)");
    reader_.flag("--half-close", server.limits.half_close,
                 "Go on for a client that has ended its sending and waits, as one that leaves "
                 "does (`nc -N`)");
    reader_.value("--head-timeout", "TIME", timeouts.head, parse_duration,
                  "Time for the request line and headers to arrive (default: 10s)");
    reader_.value("--keep-alive-timeout", "TIME", timeouts.keep_alive, parse_duration,
                  "Time between two requests on a connection (default: 75s)");
    reader_.value("--transmit-timeout", "TIME", timeouts.transmit, parse_duration,
                  "Time in which a client must take some of its response (default: 30s)");
    reader_.value("--transmit-rate", "N", timeouts.transmit_rate_min, parse_32_bits,
                  "Slowest download allowed, in bytes per second, averaged over "
                  "--transmit-timeout (default: 240)");
    reader_.value("--stop-timeout", "TIME", server.stop_timeout, parse_duration,
                  "Time for requests in progress when the server stops; 0 cuts them off (default: "
                  "10s)");
    reader_.value("--worker-timeout", "TIME", server.worker_timeout, parse_duration,
                  "Time after which prefork replaces a worker that does not answer it (default: "
                  "30s)");
}

void LaunchReader::finish() {
    server::Options& server = options_.server;
    if (!passed_sockets().sockets.empty()) take_passed_sockets();
    if (!options_.tls.acme.hosts.empty()) listen_for_domains();
    if (!addresses_.empty()) server.addresses = std::move(addresses_);
    if (const auto repeated = server::find_repeated({{server.addresses, server.port}});
        !repeated.empty())
        throw WrongUse{"--bind: " + repeated};
    log_.finish();
    if (head_bytes_max_ > 0)
        server.limits.head_bytes_max = server.limits.request_line_bytes_max =
            server.limits.field_line_bytes_max = head_bytes_max_;
    acme_.finish();
    tls_.finish();
    check_admin();
    check_engine();
}

/// The addresses of --admin may be none of the site: during a reload both could be bound, and would
/// share the connections.
void LaunchReader::check_admin() const {
    const auto check = [this](server::Endpoints of_site, const char* by) {
        const server::Endpoints own{std::span{&options_.admin, 1}, of_site.default_port};
        if (const auto repeated = server::find_repeated({of_site, own}); !repeated.empty())
            throw WrongUse{"--admin: " + repeated + " (" + by + " has it, too)"};
    };
    if (options_.admin.empty()) return;
    const server::Options& server = options_.server;
    check({server.addresses, server.port}, "--bind");
    check({server.redirect_addresses, server::redirect_port}, "--tls-redirect");
}

/// Replaces the names of passed sockets by their addresses. Without an address, the server listens
/// on all passed sockets that do not redirect.
void LaunchReader::take_passed_sockets() {
    const supervisor::PassedSockets& passed = passed_sockets();
    auto& redirects = options_.server.redirect_addresses;
    redirects = or_wrong_use("--tls-redirect", with_passed_addresses(redirects, passed));
    if (!addresses_.empty()) {
        addresses_ = or_wrong_use("--bind", with_passed_addresses(addresses_, passed));
    } else {
        auto all = or_wrong_use("LISTEN_FDS", all_passed_addresses(passed));
        if (!options_.tls.acme.hosts.empty() && redirects.empty()) redirects = at_port_80(all);
        std::erase_if(all, [&](const std::string& each) {
            return std::ranges::find(redirects, each) != redirects.end();
        });
        addresses_ = std::move(all);
    }
    for (const auto& each : passed.sockets) options_.server.given_sockets.push_back(each.fd);
}

/// A CA asks at ports 80 and 443, and so do browsers.
void LaunchReader::listen_for_domains() {
    constexpr std::uint16_t https_port = 443;
    if (!addresses_.empty()) return;
    server::Options& server = options_.server;
    addresses_.emplace_back(":" + std::to_string(port_->count() > 0 ? server.port : https_port));
    if (server.redirect_addresses.empty()) server.redirect_addresses.emplace_back(":80");
}

/// Checks the options of the engine. The server also checks most of them, but a wrong option needs
/// its own exit code.
void LaunchReader::check_engine() const {
    using engines::Engine;
    const server::Options& server = options_.server;
    const Engine& engine = *engines::find(server.engine);
    const auto refuse = [&engine](const OptionReader::Added* added, const char* what,
                                  bool Engine::* has) {
        throw WrongUse{added->given_by + ": the engine " + std::string{engine.name} + " has no " +
                       what + "; use it with " + engines_with(has)};
    };
    if (!engine.has_workers && server.workers > 1)
        refuse(workers_, "workers", &Engine::has_workers);
    if (!engine.has_workers && server.pin) refuse(pin_, "workers", &Engine::has_workers);
    for (const auto* added : {queue_, queue_delay_})
        if (!engine.has_queue && added->count() > 0) refuse(added, "queue", &Engine::has_queue);
    if (!engine.has_busy_poll && server.busy_poll.count() > 0)
        refuse(busy_poll_, "loop on epoll", &Engine::has_busy_poll);
}

}  // namespace weir::cli
