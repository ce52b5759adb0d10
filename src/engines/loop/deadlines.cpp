#include "engines/loop/deadlines.h"

#include <algorithm>
#include <cstddef>

namespace weir::engines {

void Deadlines::schedule_earlier(std::uint32_t slot, Instant deadline) {
    if (deadline == never) return;
    if (slot >= slots_.size()) slots_.resize(slot + std::size_t{1});
    Slot& one = slots_[slot];
    if (one.position == absent) {
        one.position = static_cast<std::uint32_t>(heap_.size());
        heap_.push_back(slot);
    }
    one.when = deadline;
    rise(one.position, slot);
    next_ = slots_[heap_.front()].when;
}

std::uint32_t Deadlines::take_next() {
    const std::uint32_t slot = heap_.front();
    slots_[slot] = {};
    const std::uint32_t last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(0, last);
    next_ = heap_.empty() ? never : slots_[heap_.front()].when;
    return slot;
}

void Deadlines::rise(std::size_t hole, std::uint32_t slot) {
    while (hole != 0) {
        const std::size_t parent = (hole - 1) / fan_out;
        if (slots_[heap_[parent]].when <= slots_[slot].when) break;
        place(hole, heap_[parent]);
        hole = parent;
    }
    place(hole, slot);
}

void Deadlines::sink(std::size_t hole, std::uint32_t slot) {
    for (;;) {
        const std::size_t first = hole * fan_out + 1;
        if (first >= heap_.size()) break;
        const std::size_t end = std::min(first + fan_out, heap_.size());
        std::size_t earliest = first;
        for (std::size_t child = first + 1; child < end; ++child)
            if (slots_[heap_[child]].when < slots_[heap_[earliest]].when) earliest = child;
        if (slots_[slot].when <= slots_[heap_[earliest]].when) break;
        place(hole, heap_[earliest]);
        hole = earliest;
    }
    place(hole, slot);
}

void Deadlines::place(std::size_t at, std::uint32_t slot) {
    heap_[at] = slot;
    slots_[slot].position = static_cast<std::uint32_t>(at);
}

}  // namespace weir::engines
