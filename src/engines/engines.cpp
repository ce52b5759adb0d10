#include "engines/engines.h"

#include <algorithm>
#include <array>

#include "engines/entry_points.h"
#include "net/cores.h"

namespace weir::engines {
namespace {

constexpr std::array table{
    Engine{
        .name = "blocking",
        .waits = "one thread, for one socket at a time",
        .handlers_run = "on that thread, one connection at a time",
        .good_at = "being read: a whole server in one page",
        .bad_at = "more than one peer: a slow one holds up all others",
        .has_workers = false,
        .run = run_blocking,
    },
    Engine{
        .name = "fork-per-connection",
        .waits = "a process for each connection",
        .handlers_run = "in the connection's process",
        .good_at = "handlers that may crash or leak: each takes one connection along at most",
        .bad_at = "connections that come and go: a fork each; more than some hundreds of them",
        .has_workers = false,
        .forks = Process::connection,
        .run = run_fork_per_connection,
    },
    Engine{
        .name = "thread-per-connection",
        .waits = "a thread for each connection",
        .handlers_run = "on the connection's thread",
        .good_at = "handlers that block, hundreds of connections",
        .bad_at = "thousands of connections: a stack each, and the scheduler between them",
        .has_workers = false,
        .run = run_thread_per_connection,
    },
    Engine{
        .name = "select-threads",
        .waits = "one thread, in select",
        .handlers_run = "on a thread that is started for each connection that is ready",
        .good_at = "handlers that block, among a few hundred connections that are mostly silent",
        .bad_at = "short handlers: a thread for each turn; descriptors past 1,023",
        .has_workers = false,
        .run = run_select_threads,
    },
    Engine{
        .name = "thread-pool",
        .waits = "a fixed number of threads, each for one connection; more wait in a queue",
        .handlers_run = "on the connection's worker",
        .good_at = "handlers that block, with a limit to how many at once",
        .bad_at = "more slow peers than workers: all others wait for them",
        .has_workers = true,
        .has_queue = true,
        .run = run_thread_pool,
    },
    Engine{
        .name = "select",
        .waits = "one thread, in select",
        .handlers_run = "inline on that thread",
        .good_at = "a few hundred connections, anywhere that sockets are",
        .bad_at = "descriptors past 1,023, which it must turn away; handlers that block",
        .has_workers = false,
        .run = run_select,
    },
    Engine{
        .name = "poll",
        .waits = "one thread, in poll",
        .handlers_run = "inline on that thread",
        .good_at = "hundreds of connections, most of them busy",
        .bad_at = "thousands of idle connections: each turn looks at all of them",
        .has_workers = false,
        .run = run_poll,
    },
    Engine{
        .name = "epoll-blocking",
        .waits =
            "a thread per core, each in its own epoll, and in the middle of an answer for one peer",
        .handlers_run = "inline on the loop that owns the connection",
        .good_at = "showing a common mistake: small answers to fast peers hide it",
        .bad_at = "one peer that reads slowly, for whom all others on its loop wait",
        .has_workers = true,
        .has_busy_poll = true,
        .run = run_epoll_blocking,
    },
    Engine{
        .name = "epoll-level",
        .waits = "one thread, in epoll, level-triggered",
        .handlers_run = "inline on that thread",
        .good_at = "ten thousand connections on one core, with the fewest ways to get it wrong",
        .bad_at = "handlers that block, a second core",
        .has_workers = false,
        .has_busy_poll = true,
        .run = run_epoll_level,
    },
    Engine{
        .name = "epoll-edge",
        .waits = "one thread, in epoll, edge-triggered",
        .handlers_run = "inline on that thread",
        .good_at = "ten thousand connections on one core",
        .bad_at = "handlers that block, a second core",
        .has_workers = false,
        .has_busy_poll = true,
        .run = run_epoll_edge,
    },
    Engine{
        .name = "coroutines",
        .waits = "one thread, in epoll, edge-triggered; a coroutine for each connection",
        .handlers_run = "inline, in the connection's coroutine",
        .good_at = "what epoll-edge is good at, in code that reads like blocking",
        .bad_at = "handlers that block, a second core",
        .has_workers = false,
        .has_busy_poll = true,
        .run = run_coroutines,
    },
    Engine{
        .name = "reactor",
        .waits = "one thread, in epoll, edge-triggered",
        .handlers_run = "on a pool of threads, from a queue",
        .good_at = "many connections, and handlers that block or compute",
        .bad_at = "short handlers: two switches between threads for each request",
        .has_workers = true,
        .has_queue = true,
        .has_busy_poll = true,
        .run = run_reactor,
    },
    Engine{
        .name = "epoll-workers",
        .waits = "a thread per core, each in its own epoll; one more accepts for all",
        .handlers_run = "inline on the loop that owns the connection",
        .good_at = "all cores, few connections that stay: they are dealt out evenly",
        .bad_at = "connections that come and go, handlers that block",
        .has_workers = true,
        .has_busy_poll = true,
        .run = run_epoll_workers,
    },
    Engine{
        .name = "per-core",
        .waits = "a thread per core, each in its own epoll",
        .handlers_run = "inline on the loop that owns the connection",
        .good_at = "all cores, many connections, connections that come and go",
        .bad_at = "handlers that block, few connections of unequal weight",
        .has_workers = true,
        .has_busy_poll = true,
        .run = run_per_core,
    },
    Engine{
        .name = "prefork",
        .waits = "a process per core, each in its own epoll; one more supervises them",
        .handlers_run = "inline in the process that owns the connection",
        .good_at = "handlers that may crash, and being renewed without a connection refused",
        .bad_at = "workers that must know of each other; a cache and a log each",
        .has_workers = true,
        .has_busy_poll = true,
        .forks = Process::worker,
        .run = run_prefork,
    },
    Engine{
        .name = "io-uring",
        .waits = "a thread per core, each for what its ring has done",
        .handlers_run = "inline on the loop that owns the connection",
        .good_at =
            "many busy connections: one system call hands over and brings back many operations",
        .bad_at = "handlers that block, and machines that forbid it, as many containers do",
        .has_workers = true,
        .run = run_io_uring,
        .unavailable = io_uring_unavailable,
    },
    Engine{
        .name = "asio",
        .waits = "a thread per core, each in an io_context of Asio",
        .handlers_run = "inline on the loop that owns the connection",
        .good_at = "programs that have Asio already, all cores, many connections",
        .bad_at = "handlers that block; some more system calls than a loop of one's own",
        .has_workers = true,
        .run = run_asio,
        .unavailable = asio_unavailable,
    },
};

const Engine* find_in_table(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(table, name, &Engine::name);
    return found == table.end() ? nullptr : found;
}

std::string_view why_not_io_uring() {
    const auto refusal = find_in_table("io-uring")->unavailable();
    return refusal.empty() ? "io-uring measures no better" : "io-uring cannot run";
}

}  // namespace

std::span<const Engine> all() noexcept { return table; }

const Engine* find(std::string_view name) {
    return name == "auto" ? &automatic().engine : find_in_table(name);
}

/// per-core runs wherever Linux does, and with one core it is epoll-edge.
Choice automatic() {
    const unsigned cores = net::count_cores();
    std::string why = cores == 1 ? "a loop on the one core" : "a loop on each of the ";
    if (cores > 1) why += std::to_string(cores) + " cores";
    why += " that this process may use; ";
    why += why_not_io_uring();
    return {*find_in_table("per-core"), why};
}

}  // namespace weir::engines
