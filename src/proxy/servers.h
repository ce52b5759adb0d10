#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <span>
#include <utility>

#include "upstream/target.h"
#include "weir/base/instant.h"

namespace weir::proxy {

/// A server of a route, with the requests that it has under way. Thread-safe.
class Server {
   public:
    explicit Server(upstream::Target target) : target_{std::move(target)} {}

    const upstream::Target& target() const noexcept { return target_; }
    /// Grows with the requests under way. After a pause, each counts for ten at first, and for one
    /// after `slow_start`: a server that has just started may have much to read and to compile.
    std::size_t load(Instant now, std::chrono::milliseconds slow_start) const noexcept {
        constexpr std::size_t most = 10;
        std::size_t share = most;
        const Instant::rep back = paused_until_.load(std::memory_order_relaxed);
        const Instant::rep at = now.time_since_epoch().count();
        const Instant::rep slow = Instant::duration{slow_start}.count();
        if (back != not_paused && slow != 0 && at < back + slow) {
            const Instant::rep since = std::max(at - back, Instant::rep{0});
            share = 1 + static_cast<std::size_t>(since * 9 / slow);
        }
        return (requests_.load(std::memory_order_relaxed) + 1) * most * most / share;
    }
    void begin() noexcept { requests_.fetch_add(1, std::memory_order_relaxed); }
    void end() noexcept { requests_.fetch_sub(1, std::memory_order_relaxed); }

    bool is_paused(Instant now) const noexcept { return now < paused_until(); }
    Instant paused_until() const noexcept {
        return Instant{Instant::duration{paused_until_.load(std::memory_order_relaxed)}};
    }
    void pause(Instant until) noexcept {
        paused_until_.store(until.time_since_epoch().count(), std::memory_order_relaxed);
    }

   private:
    static constexpr Instant::rep not_paused = Instant::min().time_since_epoch().count();

    const upstream::Target target_;
    std::atomic<std::size_t> requests_{0};
    std::atomic<Instant::rep> paused_until_{not_paused};
};

/// Counts a request of a server, as long as it is under way.
class UnderWay {
   public:
    explicit UnderWay(Server& server) noexcept : server_{&server} { server.begin(); }
    UnderWay(UnderWay&& other) noexcept : server_{std::exchange(other.server_, nullptr)} {}
    UnderWay& operator=(UnderWay&& other) noexcept {
        std::swap(server_, other.server_);
        return *this;
    }
    ~UnderWay() {
        if (server_ != nullptr) server_->end();
    }

    Server& server() const noexcept { return *server_; }

   private:
    Server* server_;
};

/// The servers of a route. Thread-safe.
class Servers {
   public:
    explicit Servers(std::chrono::milliseconds slow_start) noexcept : slow_start_{slow_start} {}

    /// Before any other call.
    void add(upstream::Target target) { servers_.emplace_back(std::move(target)); }
    const std::deque<Server>& all() const noexcept { return servers_; }
    /// Host and the path are the same for all.
    const upstream::Target& first() const noexcept { return servers_.front().target(); }

    /// The server with the least load; among several, each in its turn. If all are paused, the one
    /// whose pause ends first.
    Server& choose(Instant now) noexcept {
        return *best_but({}, turn_.fetch_add(1, std::memory_order_relaxed), now);
    }
    /// The same, of those that have not failed; null: there is none.
    Server* choose_other(std::span<const Server* const> failed, Instant now) noexcept {
        return best_but(failed, turn_.load(std::memory_order_relaxed), now);
    }

   private:
    Server* best_but(std::span<const Server* const> failed, std::size_t first,
                     Instant now) noexcept {
        Server* best = nullptr;
        for (std::size_t i = 0; i < servers_.size(); ++i) {
            Server& each = servers_[(first + i) % servers_.size()];
            if (std::ranges::find(failed, &each) != failed.end()) continue;
            if (!best || is_better(each, *best, now)) best = &each;
        }
        return best;
    }
    bool is_better(const Server& one, const Server& other, Instant now) const noexcept {
        if (one.is_paused(now) || other.is_paused(now))
            return one.paused_until() < other.paused_until();
        return one.load(now, slow_start_) < other.load(now, slow_start_);
    }

    const std::chrono::milliseconds slow_start_;
    std::deque<Server> servers_;  // does not move them
    std::atomic<std::size_t> turn_{0};
};

}  // namespace weir::proxy
