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
#include <atomic>
#include <memory>
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

    std::error_code run() {
        const unsigned workers =
            host_.options.workers != 0 ? host_.options.workers : cores_allowed();
        if (const auto error = open_siblings(workers)) return error;
        std::vector<std::thread> threads;
        try {
            for (auto& listeners : siblings_)
                threads.emplace_back([this, &listeners] { work(listeners); });
        } catch (const std::system_error& error) {
            give_up(error.code());
        }
        work(host_.listeners);
        for (auto& thread : threads) thread.join();
        if (const int error = error_.load()) return {error, std::generic_category()};
        return {};
    }

   private:
    /// One set for each worker but the first, which has the host's own.
    std::error_code open_siblings(unsigned workers) {
        for (unsigned worker = 1; worker < workers; ++worker) {
            auto& set = siblings_.emplace_back();
            for (const auto& listener : host_.listeners) {
                auto sibling = listener.sibling();
                if (!sibling) return sibling.error();
                set.push_back(std::move(*sibling));
            }
        }
        return {};
    }

    void work(std::span<net::Listener> listeners) {
        if (const auto error = run_epoll_loop(host_, gate_, listeners)) give_up(error);
    }

    /// A worker that can't start takes the others with it: half a server is harder to notice than
    /// none.
    void give_up(const std::error_code& error) {
        error_ = error.value();
        host_.stop.request_now();
    }

    Host& host_;
    Gate gate_;
    std::vector<std::vector<net::Listener>> siblings_;
    std::atomic<int> error_{0};
};

}  // namespace

std::error_code run_per_core(Host& host) { return PerCore{host}.run(); }

}  // namespace weir::engines
