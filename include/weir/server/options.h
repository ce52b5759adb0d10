#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/limits.h"
#include "weir/server/access_log_options.h"
#include "weir/server/finished.h"
#include "weir/server/metrics.h"
#include "weir/server/request_lines.h"

namespace weir::http {
class Layer;
}  // namespace weir::http

namespace weir::server {

struct Options {
    /// Where to listen: "127.0.0.1:8000", "[::1]:8000", "::1", "localhost:80", "0.0.0.0", or
    /// "unix:/run/weir.sock". "8080" means port 8080 of 127.0.0.1; ":8080" and "*:8080" mean port
    /// 8080 of all addresses of the machine, IPv4 and IPv6. The default is loopback: other machines
    /// can connect only if you ask for it.
    std::vector<std::string> addresses{"127.0.0.1"};
    /// The port for addresses that name none; 0: the kernel chooses a free port.
    std::uint16_t port = 8000;

    /// Listening sockets that the program has from elsewhere, for example from the process before
    /// it. If a socket has one of the addresses above or below, the server does not bind that
    /// address, but listens on a duplicate of the socket. Several sockets may have one address
    /// (SO_REUSEPORT), and connections may wait at each of them, so the server listens on all of
    /// them. The server ignores the other sockets. The program owns the descriptors, and may close
    /// them after bind().
    std::vector<int> given_sockets{};
    /// Keeps the files of unix sockets when the server ends, because another process has these
    /// sockets too.
    bool leaves_socket_files = false;

    /// Returns whether connections from `address` (in the form of Origin::append_address()) begin
    /// with a header of the PROXY protocol, version 1 or 2. The address in the header is then that
    /// of Request::origin(). If such a connection begins with anything else, it is cut. Must be
    /// thread-safe. Null: no connection has the header. access::is_one_of() makes such a function
    /// from networks (weir/access/proxies.h).
    std::function<bool(std::string_view address)> proxy_protocol{};

    /// The result of tls::open() (weir/tls/tls.h), which encrypts the connections of `addresses`.
    /// Null: these connections are plain.
    std::shared_ptr<http::Layer> tls{};
    /// With `tls`: addresses of plain connections, in the form of `addresses`; the default port is
    /// 80. The server redirects a request there (308) to the same host and path by https, at the
    /// port of the first of `addresses` that has a port. Requests below
    /// /.well-known/acme-challenge/ reach the handler, so that a CA can verify who controls the
    /// host.
    std::vector<std::string> redirect_addresses{};
    /// With `tls`: the time for which browsers use https only (Strict-Transport-Security, RFC
    /// 6797); 0: responses do not have the field. Deferred responses (Request::defer()) never have
    /// it.
    std::chrono::seconds hsts{0};

    /// The name of an engine (see `weir engines`); "auto": the best engine that this machine
    /// supports.
    std::string engine = "auto";
    /// The number of threads, loops or processes, if the engine has several. 0: one per core that
    /// this process may use; 64 for engines whose threads may block (`thread-pool`, `reactor`):
    /// such threads mostly wait. Affects speed only. For an engine without such a number (see `weir
    /// engines`), more than 1 is an error of bind(), and so is `pin`.
    unsigned workers = 0;
    /// Runs each worker on a core of its own: the first worker on the first core that this process
    /// may use, and so on. After the last core it starts again with the first. Affects speed only:
    /// latency is steadier on an otherwise idle machine, and worse on a shared one.
    bool pin = false;
    /// The number of connections or requests (whichever the engine queues) that may wait for a
    /// worker. When the queue is full, the engine stops accepting or reading. Affects speed only:
    /// the queue should keep the workers busy through a burst. Connections that wait longer are
    /// better off in the kernel's backlog, where they take no memory of the server.
    unsigned queue_max = 128;
    /// The time that work (a connection or a request, whichever the engine queues) may wait for a
    /// worker while all of it waits that long: then it gets a 503 with Retry-After, so that the
    /// queue drains, and what comes next is served in time. A burst is served: work is turned away
    /// only if all that workers have taken in the last 100 ms had waited for longer. 0: no limit.
    std::chrono::milliseconds queue_delay_max{0};
    /// How long a loop polls for events before it sleeps, if its recent events came that fast; 0:
    /// it does not poll. Affects speed only: polling about halves the time of a round trip if few
    /// connections are busy, and uses the core meanwhile.
    std::chrono::microseconds busy_poll{0};
    /// The number of connections at once, over all workers. Further connections wait in the
    /// kernel's backlog. 0: as many as the limit on descriptors (RLIMIT_NOFILE) allows, less a
    /// reserve.
    std::uint32_t connections_max = 0;
    /// The number of connections at once from one IPv4 address, or from one IPv6 network of 64
    /// bits. Further connections are closed at once, without a response. 0: no limit, because many
    /// people may share an address: behind a provider's NAT, or behind a proxy. Connections on unix
    /// sockets don't count. The engine `prefork` counts in each worker process by itself.
    std::uint32_t connections_per_address_max = 0;
    /// The memory that all connections together may keep, in bytes, for requests that are not
    /// complete yet and for responses that the peers have not taken yet: heads and content. A
    /// connection that needs more gets a 503 and is closed. The limits of each connection apply as
    /// well. 0: a quarter of the memory that the machine, the control group and RLIMIT_AS allow.
    /// The workers of `prefork` have equal shares of it; each process of `fork-per-connection` may
    /// use all of it.
    std::uint64_t memory_max = 0;
    /// How long connections may finish their requests after stop() before the server closes them.
    std::chrono::milliseconds stop_timeout{10'000};

    /// How long a worker process (engine `prefork`) may take to answer its supervisor, which asks
    /// three times in that time. The supervisor kills a worker that does not answer, and replaces
    /// it: the worker was stopped, or a handler or `worker_started` took that long. 0: any time.
    std::chrono::milliseconds worker_timeout{30'000};

    /// Called in each worker process (engine `prefork`) before it serves. fork(2) copies only the
    /// thread that calls it, so this is the place to start other threads again.
    std::function<void()> worker_started{};

    /// Called once, by run(), when the engine has opened everything that it needs and serves new
    /// connections. The caller is the thread that calls run(), before its own loop runs. Meant for
    /// sandbox::close_rings(), and for a message that the server is ready.
    std::function<void()> opened{};

    /// Called at this interval while run() runs, as long as all loops of the engine turn: meant for a
    /// watchdog, such as that of systemd. A loop that a handler keeps from turning for a whole
    /// interval makes the server leave the call out. The caller is a thread beside the engine; for
    /// an engine that forks, it is the process that forks. It must not block or throw. Threads that
    /// may wait for a peer or a handler are not asked: those of `blocking`, `thread-per-connection`,
    /// `thread-pool` and `epoll-blocking`, and the pool of `reactor`. 0: never called.
    std::chrono::milliseconds alive_every{0};
    std::function<void()> alive{};

    /// Serves HTTP/2 without TLS beside HTTP/1.1, to clients that know it (RFC 9113 3.3: prior
    /// knowledge). The first bytes of a connection select the protocol. Browsers need TLS for
    /// HTTP/2; this is for proxies, programs, and measurements. With TLS, HTTP/2 needs no option:
    /// ALPN chooses it.
    bool h2c = false;
    /// With `tls`: offers HTTP/2 to clients that ask for it (ALPN).
    bool h2 = true;

    http::Limits limits{};
    http::Timeouts timeouts{};
    AccessLogOptions access_log{};
    /// Lines on standard output for each response, in addition to the access log.
    RequestLines request_lines = RequestLines::none;
    /// Counts connections and requests; null: nothing does. Must outlive the server.
    Metrics* metrics = nullptr;
    /// Called at the end of each request, for metrics and traces: when the kernel has taken the last
    /// byte of the response, or the connection has ended before. The threads that drive connections
    /// call it, several at once, and so do worker processes, each in its own memory. It must not
    /// block. An exception is logged. web::Router::pattern_of() tells the route.
    std::function<void(const Finished& finished)> finished{};
};

}  // namespace weir::server
