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

    /// Listening sockets that the program was given, as by a process before it. Where one has an
    /// address of those above and below, the server does not bind that address: it listens on a
    /// duplicate of the socket. Several sockets may have one address (SO_REUSEPORT); connections may
    /// wait at each of them, so the server listens on all of these. Others are left alone. The
    /// descriptors stay the program's, which may close them after bind().
    std::vector<int> given_sockets{};
    /// The files of unix sockets stay when the server ends: another process has these sockets, too.
    bool leaves_socket_files = false;

    /// Of which addresses (Origin::append_address()) connections begin with a header of the PROXY
    /// protocol, version 1 or 2. The address that it names is that of Request::origin(). A connection
    /// that begins with something else is cut. Thread-safe; null: none. access::is_one_of() makes it
    /// of networks (weir/access/proxies.h).
    std::function<bool(std::string_view address)> proxy_protocol{};

    /// Encrypts the connections of `addresses`: what tls::open() returns (weir/tls/tls.h). Null: they
    /// are plain.
    std::shared_ptr<http::Layer> tls{};
    /// With `tls`: addresses like those above, which are plain; their port is 80 where they name
    /// none. A request there is redirected (308) to
    /// the same host and path of the first of `addresses` with a port, by https. Requests below
    /// /.well-known/acme-challenge/ reach the handler, so that a CA can see whose host it is.
    std::vector<std::string> redirect_addresses{};
    /// With `tls`: for how long browsers shall use https alone (Strict-Transport-Security, RFC 6797);
    /// 0: not said. Answers that come later (Request::defer()) do not have the field.
    std::chrono::seconds hsts{0};

    /// The name of an engine (see `weir engines`); "auto": the best engine that this machine
    /// supports.
    std::string engine = "auto";
    /// The number of threads, loops or processes, if the engine has several. 0: one per core that
    /// this process may use; 64 for engines whose threads may block (`thread-pool`, `reactor`): such
    /// threads mostly wait. Affects speed only.
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
    /// How long a loop polls for events before it sleeps, if its recent events came that fast; 0:
    /// it does not poll. Affects speed only: polling about halves the time of a round trip if few
    /// connections are busy, and uses the core meanwhile.
    std::chrono::microseconds busy_poll{0};
    /// The number of connections at once, over all workers. Further connections wait in the
    /// kernel's backlog. 0: as many as the limit on descriptors (RLIMIT_NOFILE) allows, less a
    /// reserve.
    std::uint32_t connections_max = 0;
    /// The number of connections at once from one IPv4 address, or from one IPv6 network of 64
    /// bits. Further connections are closed at once, without an answer. 0: no limit, because many
    /// people may share an address: behind a provider's NAT, or behind a proxy. Connections on
    /// unix sockets don't count. The engine `prefork` counts in each worker process by itself.
    std::uint32_t connections_per_address_max = 0;
    /// How much memory all connections together may keep, in bytes, for what the peers have not
    /// finished sending and not taken yet: heads, content, answers. A connection that would need
    /// more gets a 503 and is closed; the limits of each connection hold as well. 0: a quarter of
    /// what the machine, the control group and RLIMIT_AS allow. The workers of `prefork` have equal
    /// shares of it; each process of `fork-per-connection` may have all of it.
    std::uint64_t memory_max = 0;
    /// How long connections may finish their requests after stop() before the server closes them.
    std::chrono::milliseconds stop_timeout{10'000};

    /// How long a worker process (engine `prefork`) may take to answer its supervisor, which asks
    /// three times in that time. If it does not answer, it is killed, and another takes its place:
    /// it was stopped, or a handler or `worker_started` took that long. 0: it may take any time.
    std::chrono::milliseconds worker_timeout{30'000};

    /// Called in each worker process (engine `prefork`) before it serves. fork(2) copies only the
    /// thread that calls it, so this is the place to start other threads again.
    std::function<void()> worker_started{};

    /// Called once, by run(), when the engine has opened what it needs: connections that come are
    /// served. Called in the thread that calls run(), before its own loop runs. Meant for
    /// sandbox::close_rings(), and for saying that the server serves.
    std::function<void()> opened{};

    /// Serves HTTP/2 without TLS beside HTTP/1.1, to clients that know it (RFC 9113 3.3: prior
    /// knowledge). The first bytes of a connection choose. Browsers need TLS for HTTP/2; this is for
    /// proxies, programs, and measurements. With TLS, HTTP/2 needs no option: ALPN chooses it.
    bool h2c = false;
    /// With `tls`: offers HTTP/2 to clients that ask for it (ALPN).
    bool h2 = true;

    http::Limits limits{};
    http::Timeouts timeouts{};
    AccessLogOptions access_log{};
    /// Lines on standard output for each answer, in addition to the access log.
    RequestLines request_lines = RequestLines::none;
};

}  // namespace weir::server
