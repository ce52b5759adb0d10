#include "engines/deadlines.h"

#include <algorithm>

namespace weir::engines {

void Deadlines::promise(std::uint32_t slot, Instant deadline) {
    if (deadline == never) return;
    if (slot >= positions_.size()) positions_.resize(slot + std::size_t{1}, absent);
    std::size_t position = positions_[slot];
    if (position == absent) {
        position = heap_.size();
        heap_.push_back({});
    } else if (heap_[position].when <= deadline) {
        return;
    }
    rise(position, {deadline, slot});
}

std::optional<std::uint32_t> Deadlines::take_due(Instant now) {
    if (next() > now) return {};
    const std::uint32_t slot = heap_.front().slot;
    positions_[slot] = absent;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(0, last);
    return slot;
}

void Deadlines::rise(std::size_t hole, Entry entry) {
    while (hole != 0) {
        const std::size_t parent = (hole - 1) / fan_out;
        if (heap_[parent].when <= entry.when) break;
        place(hole, heap_[parent]);
        hole = parent;
    }
    place(hole, entry);
}

void Deadlines::sink(std::size_t hole, Entry entry) {
    for (;;) {
        const std::size_t first = hole * fan_out + 1;
        if (first >= heap_.size()) break;
        const std::size_t end = std::min(first + fan_out, heap_.size());
        std::size_t earliest = first;
        for (std::size_t child = first + 1; child < end; ++child)
            if (heap_[child].when < heap_[earliest].when) earliest = child;
        if (entry.when <= heap_[earliest].when) break;
        place(hole, heap_[earliest]);
        hole = earliest;
    }
    place(hole, entry);
}

void Deadlines::place(std::size_t at, Entry entry) {
    heap_[at] = entry;
    positions_[entry.slot] = static_cast<std::uint32_t>(at);
}

}  // namespace weir::engines
