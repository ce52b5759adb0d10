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
    // Of generations without a place
    std::atomic<std::uint64_t> opened_before{0};
    std::atomic<std::uint64_t> entered_before{0};
    Histogram loop_delays;
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

/// The memory in which the threads of one generation count.
struct GenerationCounts {
    std::shared_ptr<Counts> all;
    GenerationTally* own = nullptr;
};

/// The slot of a thread, as long as the thread lives.
class OwnSlot {
   public:
    OwnSlot() = default;
    ~OwnSlot() { release(); }
    OwnSlot(const OwnSlot&) = delete;
    OwnSlot& operator=(const OwnSlot&) = delete;

    /// Null if all are taken.
    Slot* in(const GenerationCounts& counts) noexcept {
        if (counts_.all != counts.all) [[unlikely]]
            take(counts);
        return slot_;
    }
    /// A request may have begun here and end in another thread of this generation.
    void release() noexcept {
        if (slot_) {
            counts_.own->active += slot_->active.exchange(0);
            slot_->open = 0;
            slot_->owner.store(0, std::memory_order_release);
        }
        slot_ = nullptr;
        counts_ = {};
    }

   private:
    /// Counts stay with the slot: the next thread goes on with them. The requests of a process that
    /// was killed are not under way any more.
    void take(const GenerationCounts& counts) noexcept {
        release();
        counts_ = counts;
        const pid_t process = ::getpid();
        for (Slot& each : counts.all->own) {
            pid_t none = 0;
            if (!each.owner.compare_exchange_strong(none, process, std::memory_order_acquire))
                continue;
            slot_ = &each;
            slot_->active = 0;
            slot_->open = 0;
            slot_->generation = counts.own->process.load();
            slot_->was_used = true;
            return;
        }
    }

    GenerationCounts counts_;
    Slot* slot_ = nullptr;
};

/// The counts that the calling thread adds to: those of its slot, where it is the only writer, or
/// those of all threads without one.
class ThreadCounts {
   public:
    explicit ThreadCounts(const GenerationCounts& counts) noexcept : counts_{counts} {
        if (OwnSlot* const of_thread = ThreadLocal<OwnSlot>::get()) own_ = of_thread->in(counts);
    }

    void answered(const Series& series, std::chrono::microseconds duration,
                  std::uint64_t content_bytes) const noexcept {
        const std::size_t number = counts_.all->series.number_of(series);
        Cell& cell = (own_ ? *own_ : counts_.all->common).cells[number];
        const auto microseconds = static_cast<std::uint64_t>(duration.count());
        add(cell.by_duration[Cell::bucket_of(microseconds)], 1);
        add(cell.microseconds, microseconds);
        add(cell.content_bytes, content_bytes);
    }
    void begun(std::uint64_t requests) const noexcept {
        add(own_ ? own_->active : counts_.own->active, requests);
    }
    void ended() const noexcept { begun(~std::uint64_t{0}); }  // -1
    /// Of a process that was forked, so that they end with it.
    void opened() const noexcept {
        if (own_) add(own_->open, 1);
    }
    void closed() const noexcept {
        if (own_) add(own_->open, ~std::uint64_t{0});  // -1
    }

   private:
    /// One writer needs no locked instruction.
    void add(Cell::Count& to, std::uint64_t amount) const noexcept {
        if (own_)
            to.store(to.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
        else
            to.fetch_add(amount, std::memory_order_relaxed);
    }

    const GenerationCounts& counts_;
    Slot* own_ = nullptr;
};

}  // namespace weir::server
