#include "engines/engines.h"

#include <algorithm>
#include <array>

#include "engines/entry_points.h"
#include "net/system/cores.h"

namespace weir::engines {
namespace {

constexpr std::array table{
    // engines: begin table; tools/engine_rows.py writes it from engines.toml
    Engine{
        .name = "blocking",
        .waits = "one thread, for one socket at a time",
        .handlers_run = "on that thread, one connection at a time",
        .good_at = "being read: its code is a whole server on one page",
        .bad_at = "more than one client: a slow one blocks all others",
        .run = run_blocking,
    },
    Engine{
        .name = "fork-per-connection",
        .waits = "one process per connection",
        .handlers_run = "in the process of the connection",
        .good_at = "handlers that may crash or leak: each affects only its own connection",
        .bad_at = "short connections, since each costs a fork; more than a few hundred connections",
        .forks = Process::connection,
        .run = run_fork_per_connection,
    },
    Engine{
        .name = "thread-per-connection",
        .waits = "one thread per connection",
        .handlers_run = "on the thread of the connection",
        .good_at = "handlers that block, with hundreds of connections",
        .bad_at =
            "thousands of connections: each needs a stack, and the scheduler switches between them",
        .run = run_thread_per_connection,
    },
    Engine{
        .name = "select-threads",
        .waits = "one thread, in select",
        .handlers_run = "on a new thread for each connection that is ready",
        .good_at = "handlers that block, with a few hundred connections that are mostly silent",
        .bad_at = "short handlers, since each turn starts a thread; descriptors above 1,023",
        .run = run_select_threads,
    },
    Engine{
        .name = "thread-pool",
        .waits =
            "a fixed number of threads, one connection each; other connections wait in a queue",
        .handlers_run = "on the worker that has the connection",
        .good_at = "handlers that block, with a limit on how many run at once",
        .bad_at = "many times more slow clients than workers: all others wait",
        .has_workers = true,
        .has_queue = true,
        .run = run_thread_pool,
    },
    Engine{
        .name = "select",
        .waits = "one thread, in select",
        .handlers_run = "inline on that thread",
        .good_at = "a few hundred connections, on any system with sockets",
        .bad_at = "descriptors above 1,023, which it must refuse; handlers that block",
        .run = run_select,
    },
    Engine{
        .name = "poll",
        .waits = "one thread, in poll",
        .handlers_run = "inline on that thread",
        .good_at = "hundreds of connections, most of them busy",
        .bad_at = "thousands of idle connections: each turn checks all of them",
        .run = run_poll,
    },
    Engine{
        .name = "epoll-blocking",
        .waits =
            "one thread per core, each in its own epoll; a thread that sends a response waits for that client alone",
        .handlers_run = "inline on the loop of the connection",
        .good_at = "showing a common mistake: small responses to fast clients hide it",
        .bad_at = "one client that reads slowly: all others on its loop wait",
        .has_workers = true,
        .has_busy_poll = true,
        .has_listeners_per_worker = true,
        .run = run_epoll_blocking,
    },
    Engine{
        .name = "epoll-level",
        .waits = "one thread, in epoll, level-triggered",
        .handlers_run = "inline on that thread",
        .good_at = "ten thousand connections on one core, in code that is hard to get wrong",
        .bad_at = "handlers that block; using more than one core",
        .has_busy_poll = true,
        .run = run_epoll_level,
    },
    Engine{
        .name = "epoll-edge",
        .waits = "one thread, in epoll, edge-triggered",
        .handlers_run = "inline on that thread",
        .good_at = "ten thousand connections on one core",
        .bad_at = "handlers that block; using more than one core",
        .has_busy_poll = true,
        .run = run_epoll_edge,
    },
    Engine{
        .name = "coroutines",
        .waits = "one thread, in epoll, edge-triggered; one coroutine per connection",
        .handlers_run = "inline, in the coroutine of the connection",
        .good_at = "the same as epoll-edge, in code that reads like blocking code",
        .bad_at = "handlers that block; using more than one core",
        .has_busy_poll = true,
        .run = run_coroutines,
    },
    Engine{
        .name = "reactor",
        .waits = "one thread, in epoll, edge-triggered",
        .handlers_run = "on a pool of threads, from a queue",
        .good_at = "many connections, with handlers that block or compute",
        .bad_at = "short handlers: each request costs two switches between threads",
        .has_workers = true,
        .has_queue = true,
        .has_busy_poll = true,
        .run = run_reactor,
    },
    Engine{
        .name = "epoll-workers",
        .waits = "one thread per core, each in its own epoll; one more thread accepts for all",
        .handlers_run = "inline on the loop of the connection",
        .good_at = "all cores, with few long connections: each core gets an equal share",
        .bad_at = "short connections; handlers that block",
        .has_workers = true,
        .has_busy_poll = true,
        .run = run_epoll_workers,
    },
    Engine{
        .name = "per-core",
        .waits = "one thread per core, each in its own epoll",
        .handlers_run = "inline on the loop of the connection",
        .good_at = "all cores, with many connections, long or short",
        .bad_at = "handlers that block; few connections with unequal load",
        .has_workers = true,
        .has_busy_poll = true,
        .has_listeners_per_worker = true,
        .run = run_per_core,
    },
    Engine{
        .name = "prefork",
        .waits = "one process per core, each in its own epoll; one more process supervises them",
        .handlers_run = "inline in the process of the connection",
        .good_at = "handlers that may crash; replacing workers without refusing a connection",
        .bad_at = "workers that share state; each has its own cache and log",
        .has_workers = true,
        .has_busy_poll = true,
        .has_listeners_per_worker = true,
        .forks = Process::worker,
        .run = run_prefork,
    },
    Engine{
        .name = "io-uring",
        .waits = "one thread per core, each for the completions of its ring",
        .handlers_run = "inline on the loop of the connection",
        .good_at = "many busy connections: one system call submits and completes many operations",
        .bad_at = "handlers that block; machines that forbid io_uring, as many containers do",
        .has_workers = true,
        .has_listeners_per_worker = true,
        .has_rings = true,
        .frees_port_within = std::chrono::seconds{1},
        .run = run_io_uring,
        .unavailable = io_uring_unavailable,
    },
    Engine{
        .name = "asio",
        .waits = "one thread per core, each in an io_context of Asio; one session per connection",
        .handlers_run = "inline on the context of the session",
        .good_at = "programs that already use Asio: their users know this code",
        .bad_at = "handlers that block; idle connections, since each has a buffer",
        .has_workers = true,
        .has_listeners_per_worker = true,
        .run = run_asio,
        .unavailable = asio_unavailable,
    },
    // engines: end
};

const Engine* find_in_table(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(table, name, &Engine::name);
    return found == table.end() ? nullptr : found;
}

std::string_view why_not_io_uring() {
    const auto refusal = find_in_table("io-uring")->unavailable();
    return refusal.empty() ? "io-uring was not faster in measurements" : "io-uring cannot run";
}

}  // namespace

std::span<const Engine> all() noexcept { return table; }

const Engine* find(std::string_view name) {
    return name == "auto" ? &automatic().engine : find_in_table(name);
}

/// per-core runs on every Linux, and with one core it is epoll-edge.
Choice automatic() {
    const unsigned cores = net::count_cores();
    std::string why = cores == 1 ? "a loop on the one core" : "a loop on each of the ";
    if (cores > 1) why += std::to_string(cores) + " cores";
    why += " that this process may use; ";
    why += why_not_io_uring();
    return {*find_in_table("per-core"), why};
}

}  // namespace weir::engines
