#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <system_error>

#include "weir/http/handler.h"
#include "weir/server/log.h"
#include "weir/server/options.h"

namespace weir::server {

/// Why a server could not start.
struct Failure {
    std::string what;  // "cannot listen on 127.0.0.1:8000"
    std::error_code code;
    std::string address;  // the one that cannot be listened on; empty where it was something else

    /// In words. Of an argument that can't be, `what` says all there is to say.
    std::string message() const {
        return code == std::errc::invalid_argument ? what : what + ": " + code.message();
    }
};

/// A handler, an engine that drives it, and their life: listen(), then run() until somebody calls
/// stop(). Signals and process limits are the program's own business; a server touches neither. But
/// processes that an engine forks ignore SIGINT, SIGHUP and SIGUSR1, which terminals and scripts send
/// to whole groups; a worker takes SIGTERM as a request to finish; SIGUSR2 says that the server died.
///
///     weir::server::Server server{handler, {.addresses = {"127.0.0.1:8080"}}};
///     if (auto served = server.run(); !served) std::cerr << served.error().message() << '\n';
class Server {
   public:
    /// `handler` and `log` live longer. What the handler throws becomes a 500, and is logged.
    /// Throws std::system_error where the system has no descriptor left.
    explicit Server(http::Handler& handler, Options options = {}, Log& log = standard_error_log());
    /// Writes the rest of the access log.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds every address; from then on clients can connect, and wait for run(). Where one fails,
    /// none is bound.
    std::expected<void, Failure> listen();
    /// Where it listens, in the order of Options::addresses, each with its real port:
    /// "127.0.0.1:8000", "[::1]:8000", "unix:/run/weir.sock". Empty before listen().
    std::span<const std::string> addresses() const noexcept;
    /// The engine's own name, also where "auto" was asked for. Empty before listen().
    std::string_view engine() const noexcept;
    /// Its threads, loops or processes; 0 before listen(), and for engines that have no such number.
    unsigned workers() const noexcept;

    /// listen(), unless that was done, and serves until it is stopped. Once in a server's life.
    std::expected<void, Failure> run();

    /// Accept nobody any more, finish what is under way (for Options::stop_timeout at most), return
    /// from run(). Any thread, any number of times, before or during run(); async-signal-safe.
    void stop() noexcept;
    /// The same, but cuts what is under way.
    void stop_now() noexcept;

    /// What is under way after stop(). Connections that were not accepted yet, or that wait for a
    /// worker, are not counted.
    struct Finishing {
        std::uint32_t requests;  // those that are known
        bool
            all_known;  // every connection has heard of the stop; false for the first moments, while a
                        // handler keeps its loop busy, and once a worker process was killed
    };
    /// Any thread, at any time.
    Finishing finishing() const noexcept;

    /// The access log was renamed: go on in a new one of the old name. Any thread, once listen()
    /// has returned; async-signal-safe. Where workers are processes, it is reload(); one for a
    /// single connection ends in the log that it began in.
    void reopen_logs() noexcept;
    /// Workers that are processes (engine `prefork`) are replaced by new ones, which start with empty
    /// caches and open the log anew; those finish what is under way, and nobody is refused. Elsewhere
    /// it is reopen_logs(). Any thread, once listen() has returned; async-signal-safe.
    void reload() noexcept;

   private:
    struct Running;
    std::unique_ptr<Running> running_;
};

}  // namespace weir::server
