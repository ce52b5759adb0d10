// prefork: a supervisor, and a process for each core that runs an epoll-edge loop.
//
// Who waits:          each process, in its own epoll_wait(2); the supervisor, for all of them.
// Where handlers run: inline, in the process that owns the connection. A handler that crashes takes
//                     the connections of its own process along, and no others.
// What is shared:     nothing but the code. Each process has its own listener on the same port
//                     (SO_REUSEPORT), its own connections, buffers and timers, as a loop of
//                     `per-core` has; and beyond that its own memory, caches, log and descriptors.
// An idle connection: as in `epoll-edge`. A process costs some 200 KB once, and a cache of its own.
// Calls per request:  as in `epoll-edge`.
//
// Where it breaks: where workers must know of each other (a cache, a limit, a session). So a limit on
// connections is divided: each worker has its share, rounded up, and may be full while another is
// not. As in `per-core`, the kernel deals connections out without knowing of load.
//
// When it is right: handlers that may crash or leak, and a service that must go on while it is
// renewed: a worker that dies is replaced, and a reload replaces all of them without a connection
// refused.
//
// supervisor.cpp keeps the workers; the loop is that of epoll_edge.cpp. What is left to say is what
// a worker is.

#include "engines/entry_points.h"
#include "engines/loop/epoll_loop.h"
#include "engines/peer/connection_limit.h"
#include "engines/processes/supervisor.h"
#include "net/cores.h"
#include "net/event_fd.h"

namespace weir::engines {
namespace {

std::uint32_t share_of(std::uint32_t connections_max, unsigned workers) {
    return connections_max / workers + (connections_max % workers != 0 ? 1 : 0);
}

/// In the worker's own process.
int serve_as_worker(Host& host, unsigned number, unsigned workers, const net::EventFd& ready) {
    const net::PinnedToCore pinned{host.options.pin, number};
    ConnectionLimit limit{share_of(host.options.connections_max, workers)};
    auto loop = open_epoll_loop(host, limit, host.listeners);
    if (!loop) return loop.error().value();
    ready.signal();
    (*loop)();
    return 0;
}

}  // namespace

std::error_code run_prefork(Host& host) {
    const unsigned workers = host.options.workers != 0 ? host.options.workers : net::count_cores();
    Supervisor supervisor{host, workers,
                          [workers](Host& of_worker, unsigned number, const net::EventFd& ready) {
                              return serve_as_worker(of_worker, number, workers, ready);
                          }};
    return supervisor.run();
}

}  // namespace weir::engines
