#include "weir/server/server.h"

#include <cassert>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "base/budget.h"
#include "base/troubles.h"
#include "engines/engines.h"
#include "http/layer.h"
#include "net/clock.h"
#include "net/event_fd.h"
#include "net/listener.h"
#include "net/stop_signal.h"
#include "net/system/cores.h"
#include "net/system/memory_limit.h"
#include "server/connection_counts.h"
#include "server/entrance/certificate_reloader.h"
#include "server/entrance/connector.h"
#include "server/entrance/endpoint.h"
#include "server/entrance/listening.h"
#include "server/entrance/secure_handler.h"
#include "server/guarded_handler.h"
#include "server/heartbeat.h"
#include "server/housekeeper.h"
#include "server/log/request_logs.h"
#include "server/log/trouble_reports.h"
#include "server/loop_delays.h"
#include "server/memory_return.h"
#include "server/metrics/shared.h"

namespace weir::server {

struct Server::Running {
    Running(http::Handler& user_handler, Options given, Log& given_log)
        : options{std::move(given)},
          log{given_log},
          secure{user_handler, options.hsts},
          handler{options.tls ? static_cast<http::Handler&>(secure) : user_handler, given_log},
          counts{std::make_shared<ConnectionCounts>(
              options.metrics ? options.metrics->shared().tally() : nullptr)} {}
    void enter(Metrics::State state) const noexcept {
        if (options.metrics) options.metrics->shared().enter(state);
    }

    const Options options;
    Log& log;
    SecureHandler secure;  // for a server with TLS
    GuardedHandler handler;
    net::StopSignal stop;
    net::EventFd reload;
    const std::shared_ptr<ConnectionCounts> counts;
    const engines::Engine* engine = nullptr;
    unsigned workers = 0;
    RequestLogs logs;
    bool has_logs = false;  // the logs that the options name are open
    const bool log_is_file = LogDestination::of(options.access_log.path).is_file();
    LogAmongForks log_among_forks;
    net::UniqueFd log_socket;  // if the access log goes to a daemon
    std::vector<net::Listener> listeners;
    std::vector<std::string> addresses;
    std::vector<std::string> redirect_addresses;
    std::uint64_t memory_bytes_max = 0;
    std::optional<Budget> memory;  // empty before run()
    std::optional<MemoryReturn> memory_return;
};

namespace {

using Written = AccessLog::Written;
using std::chrono::milliseconds;

/// Reserves sockets for the engine's further workers. The engine makes their listeners in run(),
/// when the process may have given up the privilege to bind the addresses.
std::expected<void, Failure> reserve_siblings(Listeners& listeners, unsigned count) {
    for (net::Listener& listener : listeners)
        if (const auto error = listener.reserve_siblings(count))
            return failure("cannot listen on " + listener.address().text(), error,
                           listener.address().text());
    return {};
}

/// Returns the given sockets that no worker has for itself, for all workers to share.
std::expected<Listeners, Failure> take_surplus(Listeners& listeners, unsigned count) {
    Listeners all;
    for (net::Listener& listener : listeners) {
        auto surplus = listener.take_surplus(count);
        if (!surplus)
            return failure("cannot listen on " + listener.address().text(), surplus.error());
        for (net::Listener& each : *surplus) all.push_back(std::move(each));
    }
    return all;
}

std::unexpected<Failure> unwritable(const AccessLogOptions& options, std::error_code error) {
    return failure("cannot write the access log " + options.path, error);
}

/// Opened in bind(): a process in a sandbox can make no socket. Empty if the log is no daemon's.
std::expected<net::UniqueFd, Failure> open_log_socket(const AccessLogOptions& options) {
    const auto destination = LogDestination::of(options.path);
    if (!destination.is_socket()) return net::UniqueFd{};
    auto socket = LogSocket::open(destination);
    if (!socket) return unwritable(options, socket.error());
    return std::move(*socket);
}

std::expected<std::unique_ptr<AccessLog>, Failure> open_access_log(const AccessLogOptions& options,
                                                                   const engines::Engine& engine,
                                                                   Log& errors, int socket) {
    if (options.path.empty()) return nullptr;
    if (options.format == AccessLogOptions::Format::own)
        if (const auto format = LogFormat::parse(options.own_format); !format)
            return failure("the format of the access log: " + format.error().sentence,
                           std::make_error_code(std::errc::invalid_argument));
    // Worker processes open the log themselves; here the server only checks that this is possible.
    // The server keeps a pipe open, because the reader of the pipe would see the end of the file if
    // no process had it open.
    const auto written = engine.forks ? Written::at_once : Written::by_a_thread;
    auto log = AccessLog::open(options, errors, written, nullptr, socket);
    if (!log) return unwritable(options, log.error());
    if (engine.forks && std::filesystem::is_regular_file(options.path)) return nullptr;
    return std::move(*log);
}

/// To call once the other outputs are there.
void add_hook_and_recorder(RequestLogs& logs, const Options& options, Log& errors) {
    if (options.finished) logs.hook = std::make_unique<FinishedHook>(options.finished, errors);
    if (options.metrics) logs.recorder = options.metrics->shared().recorder();
    if (logs.observer()) net::use_precise_instants();
}

std::expected<RequestLogs, Failure> open_logs(const Options& options, const engines::Engine& engine,
                                              Log& errors, int socket) {
    RequestLogs logs;
    auto log = open_access_log(options.access_log, engine, errors, socket);
    if (!log) return std::unexpected{log.error()};
    logs.log = std::move(*log);
    if (options.request_lines != RequestLines::none && !engine.forks)
        logs.shown = AccessLog::show(options.request_lines);
    add_hook_and_recorder(logs, options, errors);
    return logs;
}

/// Opens the logs of a process that the engine forked. If this fails in a process for a single
/// connection, the process serves without a log.
std::expected<RequestLogs, std::error_code> open_logs(const Options& options, Log& errors,
                                                      LogAmongForks& forks, int socket,
                                                      engines::Process process) {
    const bool lives_on = process == engines::Process::worker;
    const auto written = lives_on ? Written::by_a_thread : Written::at_once;
    RequestLogs logs;
    if (!options.access_log.path.empty()) {
        auto log = AccessLog::open(options.access_log, errors, written, &forks, socket);
        if (!log && lives_on) return std::unexpected{log.error()};
        if (!log) troubles().note(Trouble::log_lines);
        if (log) logs.log = std::move(*log);
    }
    if (options.request_lines != RequestLines::none)
        logs.shown = AccessLog::show(options.request_lines, written);
    add_hook_and_recorder(logs, options, errors);
    return logs;
}

/// Restores what a forked process does not inherit.
int serve_in_process(const Options& options, Log& errors, LogAmongForks& forks, int socket,
                     engines::Host& host, engines::Process process,
                     const std::function<int()>& serve) try {
    if (process == engines::Process::worker && options.worker_started) options.worker_started();
    auto logs = open_logs(options, errors, forks, socket, process);
    if (!logs) return logs.error().value();
    host.observer = logs->observer();
    std::optional<LoopDelays> delays;
    std::optional<Housekeeper> housekeeper;
    if (options.metrics && process == engines::Process::worker) {
        delays.emplace(options.metrics->shared().loop_delays(), host, housekeeper.emplace());
        housekeeper->start_thread();
    }
    return serve();  // then the destructors write the rest of the logs
} catch (const std::system_error& error) {
    return error.code().value();
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

std::expected<const engines::Engine*, Failure> find_engine(const Options& options) {
    const auto invalid = std::make_error_code(std::errc::invalid_argument);
    const engines::Engine* const engine = engines::find(options.engine);
    if (!engine) return failure("there is no engine '" + options.engine + "'", invalid);
    if (!engine->has_workers && (options.workers > 1 || options.pin))
        return failure(
            "the engine " + options.engine + " has no workers; the default, per-core, has them",
            invalid);
    if (!engine->has_busy_poll && options.busy_poll.count() > 0)
        return failure("the engine " + options.engine +
                           " has no loop on epoll; the default, per-core, has one",
                       invalid);
    return engine;
}

/// The memory of one process, in bytes: the workers of `prefork` share the total.
std::uint64_t memory_of_process(const Options& options, const engines::Engine& engine,
                                unsigned workers) {
    constexpr std::uint64_t part = 4;  // the rest is for files, handlers, threads, and others
    const std::uint64_t all =
        options.memory_max != 0 ? options.memory_max : net::memory_limit() / part;
    return engine.forks == engines::Process::worker ? all / workers : all;
}

unsigned count_workers(const engines::Engine& engine, unsigned wanted) {
    if (!engine.has_workers) return 0;
    const engines::Options options{.workers = wanted};
    return engine.has_queue ? options.blocking_worker_count() : options.worker_count();
}

}  // namespace

Server::Server(http::Handler& handler, Options options, Log& log)
    : running_{std::make_unique<Running>(handler, std::move(options), log)} {}

Server::~Server() = default;

std::expected<void, Failure> Server::bind() {
    assert(running_->listeners.empty() && "bind() once");
    const Options& options = running_->options;
    const auto engine = find_engine(options);
    if (!engine) return std::unexpected{engine.error()};
    if (const auto error = options.pin ? net::check_pinning() : std::error_code{})
        return failure("cannot pin workers to cores", error);
    auto listeners = open_listeners(options, (*engine)->frees_port_within);
    if (!listeners) return std::unexpected{listeners.error()};
    const unsigned workers = count_workers(**engine, options.workers);
    const unsigned siblings = (*engine)->has_listeners_per_worker ? workers - 1 : 0;
    if (auto reserved = reserve_siblings(*listeners, siblings); !reserved) return reserved;
    auto surplus = take_surplus(*listeners, siblings);
    if (!surplus) return std::unexpected{surplus.error()};
    auto log_socket = open_log_socket(options.access_log);
    if (!log_socket) return std::unexpected{log_socket.error()};

    running_->engine = *engine;
    running_->workers = workers;
    if (options.metrics) options.metrics->shared().describe(**engine, workers);
    // Computed here because a process without its privileges may not ask the system later.
    running_->memory_bytes_max = memory_of_process(options, **engine, workers);
    running_->secure.port(port_of(*listeners));
    running_->listeners = std::move(*listeners);
    running_->log_socket = std::move(*log_socket);
    for (const net::Listener& listener : running_->listeners) {
        const bool redirects = options.tls && Entrance{listener.listener_kind()} == Entrance::plain;
        (redirects ? running_->redirect_addresses : running_->addresses)
            .push_back(listener.address().text());
    }
    for (net::Listener& listener : *surplus) running_->listeners.push_back(std::move(listener));
    return {};
}

std::expected<void, Failure> Server::listen() {
    if (running_->listeners.empty())
        if (auto bound = bind(); !bound) return bound;
    auto logs =
        open_logs(running_->options, *running_->engine, running_->log, running_->log_socket.get());
    if (!logs) return std::unexpected{logs.error()};
    running_->logs = std::move(*logs);
    running_->has_logs = true;
    return {};
}

std::span<const std::string> Server::addresses() const noexcept { return running_->addresses; }

std::span<const std::string> Server::redirect_addresses() const noexcept {
    return running_->redirect_addresses;
}

std::vector<int> Server::sockets() const {
    std::vector<int> all;
    for (const net::Listener& listener : running_->listeners) {
        all.push_back(listener.fd());
        for (const net::UniqueFd& reserved : listener.reserved()) all.push_back(reserved.get());
    }
    return all;
}

std::string_view Server::engine() const noexcept {
    return running_->engine ? running_->engine->name : std::string_view{};
}

unsigned Server::workers() const noexcept { return running_->workers; }

namespace {

/// Returns the function to call after a renewal. The operator gets a report when each client gets
/// the new certificates. Workers accept connections, so they are replaced first. A process for a
/// single connection accepts none.
std::function<void()> after_renewal(engines::Host& host, const engines::Engine& engine,
                                    CertificateReloader& reloader) {
    const auto tell = [&reloader] { reloader.tell(); };
    if (engine.forks != engines::Process::worker) return tell;
    host.replaced = tell;
    return [&host] { host.reload->signal(); };
}

/// Reports troubles to the operator while the engine runs. Missing memory at the start is an error
/// like any other.
std::error_code start_and_run(const engines::Engine& engine, engines::Host& host, Log& log,
                              const Options& options) try {
    http::Layer* const tls = options.tls.get();
    OperatorWarnings teller{log};
    std::optional<CertificateReloader> reloader;
    std::optional<Heartbeat> heartbeat;
    std::optional<LoopDelays> delays;
    Housekeeper housekeeper;
    housekeeper.add(teller.fd(), [&] { teller.tell(); });
    if (tls) {
        reloader.emplace(*tls, log);
        housekeeper.add(reloader->fd(), [&, renewed = after_renewal(host, engine, *reloader)] {
            if (reloader->renew()) renewed();
        });
    }
    if (options.alive_every.count() > 0) {
        heartbeat.emplace(options);
        heartbeat->begin(host);
        housekeeper.add(heartbeat->fd(), [&] { heartbeat->beat(); });
    }
    if (options.metrics && !engine.forks)
        delays.emplace(options.metrics->shared().loop_delays(), host, housekeeper);
    if (engine.forks) {
        teller.share_with_forks();
        host.housekeeping =
            engines::Host::Housekeeping{housekeeper.open_fd(), [&] { housekeeper.run(); }};
    } else if (teller.is_first() || tls || heartbeat || delays) {
        housekeeper.start_thread();
    }
    return engine.run(host);
} catch (const std::bad_alloc&) {
    return std::make_error_code(std::errc::not_enough_memory);
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace

std::expected<void, Failure> Server::run() {
    if (!running_->has_logs)
        if (auto listening = listen(); !listening) return listening;

    const Options& options = running_->options;
    running_->memory.emplace(running_->memory_bytes_max);
    running_->memory_return.emplace(*running_->memory);
    running_->counts->tell(*running_->memory_return);
    if (options.metrics && running_->engine->forks)
        running_->counts->count_by_process(options.metrics->shared().of_generation());
    const Connector connector{options, *running_->counts, running_->handler, *running_->memory};
    engines::Host host{
        .listeners = running_->listeners,
        .handler = running_->handler,
        .limits = options.limits,
        .timeouts = options.timeouts,
        .observer = running_->engine->forks ? nullptr : running_->logs.observer(),
        .stop = running_->stop,
        .options = {.workers = running_->workers,
                    .pin = options.pin,
                    .queue_max = options.queue_max,
                    .queue_delay_max = options.queue_delay_max,
                    .busy_poll = options.busy_poll,
                    .connections_max = options.connections_max,
                    .connections_per_address_max = options.connections_per_address_max,
                    .stop_timeout = options.stop_timeout,
                    .worker_timeout = options.worker_timeout},
        .connect = connector.make(),
        .within_process =
            [&](engines::Process process, const std::function<int()>& serve) {
                return serve_in_process(options, running_->log, running_->log_among_forks,
                                        running_->log_socket.get(), host, process, serve);
            },
        .report =
            [&](std::string_view sentence) {
                running_->counts->process_lost();
                if (options.metrics) options.metrics->shared().forget_killed();
                running_->log.write(Severity::warning, sentence);
            },
        .opened =
            [&] {
                running_->enter(Metrics::State::serving);
                if (options.opened) options.opened();
            },
        .reload = &running_->reload,
        .figures = options.metrics ? options.metrics->shared().figures() : nullptr,
    };
    const auto error = start_and_run(*running_->engine, host, running_->log, options);
    running_->listeners.clear();  // refuses new connections at once, so that clients do not wait
    if (error) {
        const bool fewer = error.value() == EAGAIN && running_->engine->has_workers;
        return failure("the engine " + std::string{engine()} + " cannot start" +
                           (fewer ? " with " + std::to_string(workers()) + " workers" : ""),
                       error);
    }
    return {};
}

void Server::stop() noexcept {
    running_->enter(Metrics::State::stopping);
    running_->stop.request_drain();
}

void Server::stop_now() noexcept {
    running_->enter(Metrics::State::stopping);
    running_->stop.request_now();
}

Server::Finishing Server::finishing() const noexcept {
    const bool all_known =
        running_->counts->all_retired();  // read first: if it is true, requests()
                                          // is complete
    return {.requests = running_->counts->requests(), .all_known = all_known};
}

void Server::reload() noexcept {
    if (running_->options.tls) running_->options.tls->request_renewal();
    reopen_logs();
}

void Server::reopen_logs() noexcept {
    if (!running_->engine) return;
    running_->log_among_forks.open_again();
    if (running_->engine->forks == engines::Process::connection && running_->log_is_file)
        LogFile::make(
            running_->options.access_log.path.c_str());  // the next line may come much later
    if (running_->engine->forks)
        running_->reload.signal();
    else if (running_->logs.log)
        running_->logs.log->reopen();
}

}  // namespace weir::server
