#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engines/peer/eviction_requests.h"
#include "net/descriptors.h"
#include "weir/base/now.h"
#include "weir/http/connection.h"
#include "weir/http/limits.h"

namespace weir::engines {

/// Evicts connections of one loop when others need their places or descriptors: idle ones first,
/// beginning with the one that is idle for longest, then unfinished ones, the newest first. For
/// files that need descriptors, only idle connections are evicted. For connections that wait to be
/// accepted, those that are idle past the grace are evicted; if these are too few, also in other
/// loops, unfinished ones follow a moment later.
///
/// A loop passes in two functions. `list(add)` calls add(number, connection) for each connection
/// that may end now. `evict(number)` ends one, at once or in a moment (CloseImpact::leaving). It
/// returns false if bytes have arrived meanwhile, or if the connection has gone. Memory may be the
/// very thing that is short: this class needs none, and the two functions must not need any.
class Evictor {
   public:
    /// A connection that was used a moment ago will probably be used again. A new connection must
    /// have had the time to send its request.
    static constexpr std::chrono::milliseconds grace{250};
    /// More than are evicted in a turn, because bytes may have arrived for some.
    static constexpr std::size_t listed_max = 256;

    Evictor(EvictionRequests& requests, const http::Timeouts& timeouts) noexcept
        : requests_{requests}, timeouts_{timeouts} {}
    /// A request of another loop wakes `loop`.
    void join(const std::shared_ptr<http::Postbox>& loop) {
        self_ = loop.get();
        requests_.join(loop);
    }

    /// In each turn: whether there is something to do. `waiting`: the number of connections that
    /// the acceptor can't accept.
    bool is_due(std::size_t waiting) const noexcept {
        return waiting != 0 || requests_.number() != seen_ || net::descriptors().is_short();
    }
    template <typename List, typename Evict>
    void evict(std::size_t waiting, Instant now, List list, Evict evict) noexcept {
        evict_for_files(now, list, evict);
        const auto asked = asked_by_others();
        if (asked.count != 0)
            requests_.put_back(asked.count - evict_wanted(asked, now, list, evict));
        const auto wanted = wanted_by_newcomers(waiting, now);
        if (wanted.count != 0) note_newcomers(wanted, evict_wanted(wanted, now, list, evict), now);
    }
    /// Called if a connection has opened one of the last files, before the loop turns to the next
    /// connection.
    template <typename List, typename Evict>
    void evict_for_files(Instant now, List list, Evict evict) noexcept {
        const auto wanted = wanted_by_files(now);
        if (wanted.count != 0) note_files(wanted, evict_wanted(wanted, now, list, evict), now);
    }

   private:
    /// The listed connections that are evicted first, in a heap of fixed size.
    class Order {
       public:
        Order(EvictionScope scope, const http::Timeouts& timeouts, Instant now) noexcept
            : scope_{scope}, timeouts_{timeouts}, now_{now} {}

        void add(std::uint64_t number, const http::Connection& connection) noexcept;
        /// Evicts until `count` connections have ended or are leaving. Returns their number.
        template <typename Evict>
        std::size_t evict(std::size_t count, Evict evict) noexcept {
            std::sort_heap(heap_.data(), heap_.data() + size_, goes_before);
            std::size_t evicted = std::min(leaving_, count);
            for (std::size_t i = 0; i < size_ && evicted < count; ++i)
                evicted += evict(heap_[i].number) ? 1 : 0;
            return evicted;
        }

       private:
        struct Entry {
            bool is_idle;
            Instant deadline;
            std::uint64_t number;
        };

        static bool goes_before(const Entry& one, const Entry& other) noexcept {
            if (one.is_idle != other.is_idle) return one.is_idle;
            return one.is_idle ? one.deadline < other.deadline : one.deadline > other.deadline;
        }
        // All connections have the same timeouts. So the order of their deadlines is the order of
        // their beginnings.
        bool is_younger(Instant deadline, std::chrono::milliseconds timeout) const noexcept {
            return timeout > grace && deadline != never && deadline > now_ + timeout - grace;
        }
        void add(const Entry& entry) noexcept;

        const EvictionScope scope_;
        const http::Timeouts& timeouts_;
        const Instant now_;
        std::array<Entry, listed_max> heap_{};  // on top the entry that is evicted last
        std::size_t size_ = 0;
        std::size_t leaving_ = 0;
    };
    using Wanted = EvictionRequests::Request;

    template <typename List, typename Evict>
    std::size_t evict_wanted(Wanted wanted, Instant now, List& list, Evict& evict) const noexcept {
        Order order{wanted.scope, timeouts_, now};
        list([&order](std::uint64_t number, const http::Connection& connection) {
            order.add(number, connection);
        });
        return order.evict(wanted.count, evict);
    }

    // For each cause: the number of evictions that it needs, and later a note of how many were
    // done. If these are too few, other loops are asked.
    Wanted wanted_by_files(Instant now) const noexcept;
    void note_files(Wanted wanted, std::size_t evicted, Instant now) noexcept;
    Wanted asked_by_others() noexcept;
    Wanted wanted_by_newcomers(std::size_t waiting, Instant now) const noexcept;
    void note_newcomers(Wanted wanted, std::size_t evicted, Instant now) noexcept;
    void ask(std::size_t count, EvictionScope scope) noexcept;

    EvictionRequests& requests_;
    const http::Timeouts& timeouts_;
    const http::Postbox* self_ = nullptr;
    std::uint32_t seen_ = requests_.number();
    Instant look_for_files_at_{};
    Instant in_vain_until_{};  // too few are idle past the grace
};

}  // namespace weir::engines
