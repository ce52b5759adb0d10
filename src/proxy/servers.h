#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>

#include "upstream/target.h"
#include "weir/base/instant.h"

namespace weir::proxy {

/// A server of a route, with the requests that it has under way. Thread-safe.
class Server {
   public:
    static constexpr std::int64_t full_share = 10;

    explicit Server(upstream::Target target) : target_{std::move(target)} {}

    const upstream::Target& target() const noexcept { return target_; }
    /// Of the requests, in comparison with that of other servers. After a pause, it grows from 1 to
    /// `full_share` in `slow_start`: a server that has just started may have much to read and to
    /// compile.
    std::int64_t share(Instant now, std::chrono::milliseconds slow_start) const noexcept {
        const Instant::rep back = paused_until_.load(std::memory_order_relaxed);
        const Instant::rep at = now.time_since_epoch().count();
        const Instant::rep slow = Instant::duration{slow_start}.count();
        if (back == not_paused || slow == 0 || at >= back + slow) return full_share;
        return 1 + std::max(at - back, Instant::rep{0}) * (full_share - 1) / slow;
    }
    /// Grows with the requests under way; each counts for more, the smaller the share is.
    std::int64_t load(std::int64_t share) const noexcept {
        return (requests_.load(std::memory_order_relaxed) + 1) * full_share * full_share / share;
    }
    /// A server without a full share earns its share at each choice among servers of `all` shares,
    /// and pays with all of them for each request: the others may have the least load each time.
    /// Credit that it can't use in its turn is lost.
    void earn(std::int64_t share, std::int64_t all) noexcept {
        if (credit_.load(std::memory_order_relaxed) < 2 * all)
            credit_.fetch_add(share, std::memory_order_relaxed);
    }
    void pay(std::int64_t all) noexcept {
        if (credit_.load(std::memory_order_relaxed) > -all)
            credit_.fetch_sub(all, std::memory_order_relaxed);
    }
    bool can_pay(std::int64_t all) const noexcept {
        return credit_.load(std::memory_order_relaxed) >= all;
    }
    void begin() noexcept { requests_.fetch_add(1, std::memory_order_relaxed); }
    void end() noexcept { requests_.fetch_sub(1, std::memory_order_relaxed); }

    bool is_paused(Instant now) const noexcept { return now < paused_until(); }
    Instant paused_until() const noexcept {
        return Instant{Instant::duration{paused_until_.load(std::memory_order_relaxed)}};
    }
    void pause(Instant until) noexcept {
        credit_.store(0, std::memory_order_relaxed);
        paused_until_.store(until.time_since_epoch().count(), std::memory_order_relaxed);
    }

   private:
    static constexpr Instant::rep not_paused = Instant::min().time_since_epoch().count();

    const upstream::Target target_;
    std::atomic<std::int64_t> requests_{0};
    std::atomic<std::int64_t> credit_{0};
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

    /// The server with the least load; among several, each in its turn. One whose share is not full
    /// yet has its turn as often as its share says, at least. If all are paused, the one whose pause
    /// ends first.
    Server& choose(Instant now) noexcept {
        if (servers_.size() == 1) return servers_.front();
        const std::int64_t all = all_shares(now);
        let_earn(all, now);
        Server& best = *best_but({}, turn_.fetch_add(1, std::memory_order_relaxed), all, now);
        if (is_slow(best, now)) best.pay(all);
        return best;
    }
    /// The same, of those that have not failed; null: there is none.
    Server* choose_other(std::span<const Server* const> failed, Instant now) noexcept {
        return best_but(failed, turn_.load(std::memory_order_relaxed), all_shares(now), now);
    }

   private:
    bool is_slow(const Server& server, Instant now) const noexcept {
        return server.share(now, slow_start_) != Server::full_share;
    }
    std::int64_t all_shares(Instant now) const noexcept {
        std::int64_t all = 0;
        for (const Server& each : servers_)
            if (!each.is_paused(now)) all += each.share(now, slow_start_);
        return all;
    }
    void let_earn(std::int64_t all, Instant now) noexcept {
        for (Server& each : servers_)
            if (is_slow(each, now) && !each.is_paused(now))
                each.earn(each.share(now, slow_start_), all);
    }
    Server* best_but(std::span<const Server* const> failed, std::size_t first, std::int64_t all,
                     Instant now) noexcept {
        Server* best = nullptr;
        for (std::size_t i = 0; i < servers_.size(); ++i) {
            Server& each = servers_[(first + i) % servers_.size()];
            if (std::ranges::find(failed, &each) != failed.end()) continue;
            if (!best || is_better(each, *best, all, now)) best = &each;
        }
        return best;
    }
    bool is_better(const Server& one, const Server& other, std::int64_t all,
                   Instant now) const noexcept {
        if (one.is_paused(now) || other.is_paused(now))
            return one.paused_until() < other.paused_until();
        return load(one, all, now) < load(other, all, now);
    }
    std::int64_t load(const Server& server, std::int64_t all, Instant now) const noexcept {
        const std::int64_t share = server.share(now, slow_start_);
        return server.load(server.can_pay(all) ? Server::full_share : share);
    }

    const std::chrono::milliseconds slow_start_;
    std::deque<Server> servers_;  // does not move them
    std::atomic<std::size_t> turn_{0};
};

}  // namespace weir::proxy
