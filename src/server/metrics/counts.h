#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/thread_local.h"
#include "server/metrics/cells.h"
#include "server/metrics/series.h"
#include "server/metrics/tally.h"

namespace weir::server {

/// The memory that all threads and processes of a server count in, with the later generations of
/// the server. Begins as zero bytes.
struct Counts {
    /// Slots of threads. Threads beyond them share one. A page of it costs nothing before its use.
    static constexpr std::size_t slots_max = 256;

    /// Generations that serve at the same time; mostly one, and two after a reload.
    static constexpr std::size_t generations_max = 32;

    std::uint64_t layout = 0;  // first; see counts_file.cpp
    SeriesTable series;
    std::array<GenerationTally, generations_max> generations;
    std::atomic<std::uint64_t> opened_before{0};  // connections of generations without a place
    std::array<Slot, slots_max> own;
    Slot common;

    /// The place of this process; null if there is none.
    GenerationTally* take_place(pid_t process) noexcept {
        for (GenerationTally& each : generations) {
            pid_t none = 0;
            if (each.process == process || each.process.compare_exchange_strong(none, process))
                return &each;
        }
        return nullptr;
    }
};

/// The slot of a thread, as long as the thread lives.
class OwnSlot {
   public:
    OwnSlot() = default;
    ~OwnSlot() { release(); }
    OwnSlot(const OwnSlot&) = delete;
    OwnSlot& operator=(const OwnSlot&) = delete;

    /// Null if all are taken.
    Slot* in(const std::shared_ptr<Counts>& counts) noexcept {
        if (counts_ != counts) [[unlikely]]
            take(counts);
        return slot_;
    }
    void release() noexcept {
        if (slot_) slot_->owner.store(0, std::memory_order_release);
        slot_ = nullptr;
        counts_.reset();
    }

   private:
    /// Counts stay with the slot: the next thread goes on with them.
    void take(const std::shared_ptr<Counts>& counts) noexcept {
        release();
        counts_ = counts;
        const pid_t process = ::getpid();
        for (Slot& each : counts->own) {
            pid_t none = 0;
            if (!each.owner.compare_exchange_strong(none, process, std::memory_order_acquire))
                continue;
            slot_ = &each;
            slot_->was_used = true;
            return;
        }
    }

    std::shared_ptr<Counts> counts_;
    Slot* slot_ = nullptr;
};

/// Counts a request.
inline void count(const std::shared_ptr<Counts>& counts, const Series& series,
                  std::chrono::microseconds duration, std::uint64_t content_bytes) noexcept {
    OwnSlot* const of_thread = ThreadLocal<OwnSlot>::get();
    Slot* const own = of_thread ? of_thread->in(counts) : nullptr;
    Cell& cell = (own ? *own : counts->common).cells[counts->series.number_of(series)];
    // One writer needs no locked instruction.
    const auto add = [own](Cell::Count& to, std::uint64_t amount) {
        if (own)
            to.store(to.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
        else
            to.fetch_add(amount, std::memory_order_relaxed);
    };
    const auto microseconds = static_cast<std::uint64_t>(duration.count());
    add(cell.by_duration[Cell::bucket_of(microseconds)], 1);
    add(cell.microseconds, microseconds);
    add(cell.content_bytes, content_bytes);
}

}  // namespace weir::server
