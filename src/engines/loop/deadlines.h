#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/now.h"

namespace weir::engines {

/// The times at which a loop must check its connections. Made for deadlines that move with every
/// request, mostly later: only a move to an earlier time costs anything. A slot comes up at its
/// earliest scheduled time. Then the loop checks the connection's deadline, and schedules the slot
/// again.
///
/// A scheduled time belongs to the slot, not to its connection. A connection that closes leaves its
/// time to the next one in the slot, and a free slot that comes up is ignored. So a connection
/// that lives for one request costs nothing here.
class Deadlines {
   public:
    /// Reserves memory for so many slots, so that schedule() needs none. Throws std::bad_alloc.
    void reserve(std::size_t slots) {
        if (slots <= slots_.size()) return;
        heap_.reserve(std::max(slots, 2 * slots_.size()));
        slots_.resize(slots);
    }

    /// `slot` comes up at `deadline`, or before. Slots are small numbers, used again and again.
    void schedule(std::uint32_t slot, Instant deadline) {
        const bool is_scheduled = slot < slots_.size() && slots_[slot].when <= deadline;
        if (!is_scheduled) [[unlikely]]
            schedule_earlier(slot, deadline);
    }

    /// The time at which the next slot comes up; `never` if none does.
    Instant next() const noexcept { return next_; }

    /// A slot whose time has come; its time is removed.
    std::optional<std::uint32_t> take_due(Instant now) {
        if (next_ > now) return {};
        return take_next();
    }

   private:
    static constexpr std::uint32_t absent = ~0U;
    struct Slot {
        Instant when = never;             // nothing is scheduled
        std::uint32_t position = absent;  // in the heap
    };
    static_assert(sizeof(Slot) == 16);

    void schedule_earlier(std::uint32_t slot, Instant deadline);
    std::uint32_t take_next();
    void rise(std::size_t hole, std::uint32_t slot);
    void sink(std::size_t hole, std::uint32_t slot);
    void place(std::size_t at, std::uint32_t slot);

    // Each request reads its slot alone: one line of the cache, and none of the heap.
    std::vector<Slot> slots_;
    // Of slots. With four children to a node, the heap is half as deep as with two.
    static constexpr std::size_t fan_out = 4;
    std::vector<std::uint32_t> heap_;
    Instant next_ = never;  // of the first in the heap
};

}  // namespace weir::engines
