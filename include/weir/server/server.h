#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "weir/http/handler.h"
#include "weir/server/log.h"
#include "weir/server/options.h"

namespace weir::server {

/// Why a server could not start.
struct Failure {
    std::string what;  // "cannot listen on 127.0.0.1:8000"
    std::error_code code;
    std::string address;  // the address that failed; empty for any other failure

    /// One line of text. For an invalid argument, `what` says everything and the error code is left
    /// out.
    std::string message() const {
        return code == std::errc::invalid_argument ? what : what + ": " + code.message();
    }
};

/// Serves a handler with an engine: listen(), then run() until another thread or a signal handler
/// calls stop(). The server changes neither signal handlers (but in run_until_signal()) nor process
/// limits; these belong to the program. Processes that an engine forks are an exception: they ignore SIGINT, SIGHUP and
/// SIGUSR1, which terminals and scripts send to whole process groups. SIGTERM asks a worker process
/// to finish; SIGUSR2 tells it that the server died.
///
///     weir::server::Server server{handler, {.addresses = {"127.0.0.1:8080"}}};
///     if (auto served = server.run(); !served) std::cerr << served.error().message() << '\n';
class Server {
   public:
    /// `handler` and `log` must outlive the server. If the handler throws, the peer gets a 500 and
    /// the server logs the exception. Throws std::system_error if the system has no descriptor
    /// left.
    explicit Server(http::Handler& handler, Options options = {}, Log& log = standard_error_log());
    /// Writes the rest of the access log. run() must have returned.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds every address. From then on clients can connect; they wait until run() serves them. If
    /// one address fails, none stays bound. Opens no log, except for the socket of a daemon, and
    /// starts no thread: a program that gives up privileges does so after bind() (see
    /// weir/sandbox/sandbox.h).
    std::expected<void, Failure> bind();
    /// Calls bind() unless it was called already, and opens the access log.
    std::expected<void, Failure> listen();
    /// The addresses that the server listens on, in the order of Options::addresses, each with its
    /// actual port: "127.0.0.1:8000", "[::1]:8000", "unix:/run/weir.sock". Empty before bind(). The
    /// strings live as long as the server.
    std::span<const std::string> addresses() const noexcept;
    /// The same for Options::redirect_addresses.
    std::span<const std::string> redirect_addresses() const noexcept;
    /// The descriptors of all sockets that this server or its further workers listen on. Another
    /// process can serve after this one with them (Options::given_sockets). To call between bind()
    /// and run(). The server owns the descriptors.
    std::vector<int> sockets() const;
    /// The name of the engine; if the option was "auto", the engine that was chosen. Empty before
    /// bind().
    std::string_view engine() const noexcept;
    /// The number of threads, loops or processes; 0 before bind(), and for engines without such a
    /// number.
    unsigned workers() const noexcept;

    /// Calls listen() unless it was called already, and serves until stop() or stop_now(). Blocks.
    /// Call it once in the life of a server.
    std::expected<void, Failure> run();

    /// Calls run(), and stop() at the first SIGINT or SIGTERM, and stop_now() at the next. The
    /// program's own handlers of these signals are back when it returns. One server of a process at
    /// a time can do this.
    std::expected<void, Failure> run_until_signal();

    /// Stops accepting connections, finishes the requests under way (within Options::stop_timeout),
    /// and makes run() return. Any thread may call it any number of times, before or during run().
    /// Async-signal-safe.
    void stop() noexcept;
    /// Like stop(), but also closes the connections with requests under way.
    void stop_now() noexcept;

    /// The work that is still under way after stop(). Connections that were not accepted yet, or
    /// that wait for a worker, are not counted.
    struct Finishing {
        std::uint32_t requests;  // requests under way on connections that know of the stop
        /// True if every connection knows of the stop. False in the first moments, while a handler
        /// keeps its loop busy, and after a worker process was killed.
        bool all_known;
    };
    /// Any thread may call it at any time.
    Finishing finishing() const noexcept;

    /// Opens the access log again under the same path; call it after the file was renamed. Any
    /// thread may call it after listen() has returned. Async-signal-safe. If the workers are
    /// processes, this replaces them as reload() does. A process for a single connection opens it
    /// again before its next line.
    void reopen_logs() noexcept;
    /// Replaces worker processes (engine `prefork`) by new ones, which start with empty caches and
    /// open the log again. The old ones finish what is under way, and the server refuses no
    /// connection. With other engines, this does the same as reopen_logs(). With TLS, it first
    /// reads the certificates again; if one of them is invalid, all old certificates stay, and the
    /// log says why. Otherwise the log reports the renewal when every new client gets the new
    /// certificates. Any thread may call it after listen() has returned. Async-signal-safe.
    void reload() noexcept;

   private:
    struct Running;
    std::unique_ptr<Running> running_;
};

}  // namespace weir::server
