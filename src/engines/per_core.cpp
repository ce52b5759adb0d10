// per-core: as many epoll-edge loops as cores, which share nothing.
//
// Who waits:          a thread per core, each in its own epoll_wait(2).
// Where handlers run: inline, on the loop that owns the connection.
// What is shared:     the count of connections, and nothing else: each loop has its own listener on
//                     the same port (SO_REUSEPORT), its own connections, buffers, timers. The
//                     kernel deals new connections out by a hash of their addresses. No lock is
//                     taken, and no connection ever moves.
// An idle connection: as in `epoll-edge`.
// Calls per request:  as in `epoll-edge`; and accepting scales, too, for there is no thread that
//                     accepts for all, and no queue that all take from.
//
// Where it breaks: the hash knows nothing of load. With few connections some loops get none (of
// four connections on four cores, two commonly meet), and a connection that is dealt to a loop
// whose handler blocks, waits, while other cores are idle. Siblings of a unix socket share one
// queue.
//
// When it is right: nearly always. `auto` is this.

#include <sched.h>

#include <algorithm>
#include <functional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engines/entry_points.h"
#include "engines/epoll_loop.h"

namespace weir::engines {
namespace {

/// The cores that this process may use: fewer than the machine has, in a container or under
/// taskset.
unsigned cores_allowed() noexcept {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
    return static_cast<unsigned>(std::max(CPU_COUNT(&allowed), 1));
}

class PerCore {
   public:
    explicit PerCore(Host& host) : host_{host}, gate_{host.options.connections_max} {}

    /// Everything that may be missing is asked for before the first connection is accepted: half a
    /// server is harder to notice than none.
    std::error_code open() {
        const unsigned workers =
            host_.options.workers != 0 ? host_.options.workers : cores_allowed();
        listeners_.resize(workers - 1);
        for (auto& listeners : listeners_)
            if (const auto error = open_siblings(listeners)) return error;
        if (const auto error = open_loop(host_.listeners)) return error;
        for (auto& listeners : listeners_)
            if (const auto error = open_loop(listeners)) return error;
        return {};
    }

    std::error_code run() {
        std::error_code error;
        std::vector<std::thread> threads;
        try {
            for (std::size_t worker = 1; worker < loops_.size(); ++worker)
                threads.emplace_back(std::move(loops_[worker]));
        } catch (const std::system_error& no_thread) {
            error = no_thread.code();
            host_.stop.request_now();
        }
        loops_.front()();
        for (auto& thread : threads) thread.join();
        return error;
    }

   private:
    std::error_code open_siblings(std::vector<net::Listener>& siblings) {
        for (const auto& listener : host_.listeners) {
            auto sibling = listener.sibling();
            if (!sibling) return sibling.error();
            siblings.push_back(std::move(*sibling));
        }
        return {};
    }

    std::error_code open_loop(std::span<net::Listener> listeners) {
        auto loop = open_epoll_loop(host_, gate_, listeners);
        if (!loop) return loop.error();
        loops_.push_back(std::move(*loop));
        return {};
    }

    Host& host_;
    Gate gate_;
    std::vector<std::vector<net::Listener>> listeners_;  // of each worker but the first
    std::vector<std::move_only_function<void()>> loops_;
};

}  // namespace

std::error_code run_per_core(Host& host) {
    PerCore engine{host};
    if (const auto error = engine.open()) return error;
    return engine.run();
}

}  // namespace weir::engines
