#include "engines/loop/loops.h"

#include <exception>
#include <latch>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "net/system/cores.h"

namespace weir::engines {
namespace {

class Loops {
   public:
    explicit Loops(Host& host)
        : host_{host},
          limit_{host.options.connections_max, host.options.connections_per_address_max} {}

    /// Opens everything that may be missing before the first connection is accepted: a server that
    /// works in part is harder to notice than one that does not start.
    std::error_code open(const OpenLoop& open_loop) {
        listeners_.resize(host_.options.worker_count() - 1);
        for (auto& listeners : listeners_) {
            auto siblings = net::siblings_of(host_.listeners);
            if (!siblings) return siblings.error();
            listeners = std::move(*siblings);
        }
        if (const auto error = add(open_loop, host_.listeners)) return error;
        for (auto& listeners : listeners_)
            if (const auto error = add(open_loop, listeners)) return error;
        return limit_.open();
    }

    void run() {
        std::vector<std::thread> threads;
        std::exception_ptr fault;
        try {
            for (unsigned worker = 1; worker < loops_.size(); ++worker)
                threads.emplace_back([this, worker] {
                    begun_.wait();
                    run_one(worker);
                });
            if (host_.opened) host_.opened();
        } catch (...) {  // the threads end first
            fault = std::current_exception();
            host_.stop.request_now();
        }
        begun_.count_down();
        run_one(0);
        for (auto& thread : threads) thread.join();
        if (fault) std::rethrow_exception(fault);
    }

   private:
    std::error_code add(const OpenLoop& open_loop, std::span<net::Listener> listeners) {
        auto loop = open_loop(host_, limit_, listeners);
        if (!loop) return loop.error();
        loops_.push_back(std::move(*loop));
        return {};
    }

    void run_one(unsigned worker) {
        const net::PinnedToCore pinned{host_.options.pin, worker};
        loops_[worker]();
    }

    Host& host_;
    ConnectionLimit limit_;
    std::vector<std::vector<net::Listener>> listeners_;  // of each worker but the first
    std::vector<Loop> loops_;
    std::latch begun_{1};  // no loop serves before all threads exist
};

}  // namespace

std::error_code run_loops(Host& host, const OpenLoop& open_loop) try {
    Loops loops{host};
    if (const auto error = loops.open(open_loop)) return error;
    loops.run();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

std::error_code run_loop(Host& host, const OpenLoop& open_loop) try {
    ConnectionLimit limit{host.options.connections_max, host.options.connections_per_address_max};
    auto loop = open_loop(host, limit, host.listeners);
    if (!loop) return loop.error();
    if (const auto error = limit.open()) return error;
    if (host.opened) host.opened();
    (*loop)();
    return {};
} catch (const std::system_error& error) {
    return error.code();
}

}  // namespace weir::engines
