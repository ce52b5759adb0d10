#pragma once

#include <atomic>
#include <cstdint>

namespace weir::engines {

/// The figures of an engine at this moment, for metrics. All processes of the server share this
/// memory, which begins as zero bytes. An engine leaves out the figures that it does not have.
struct EngineFigures {
    using Figure = std::atomic<std::uint64_t>;

    Figure queue_length{0};
    Figure queue_places{0};
    Figure queue_entered{0};  // since the start
    Figure workers_busy{0};   // threads of a pool that have work out of the queue
    Figure processes{0};      // that the engine has forked

    /// For figures of which one thread at a time is the only writer.
    static void set(Figure& figure, std::uint64_t value) noexcept {
        figure.store(value, std::memory_order_relaxed);
    }
};

/// A worker that has work, as long as this object lives.
class BusyWorker {
   public:
    /// Without figures (null), nothing counts it.
    explicit BusyWorker(EngineFigures* figures) noexcept : figures_{figures} {
        if (figures_) figures_->workers_busy.fetch_add(1, std::memory_order_relaxed);
    }
    ~BusyWorker() {
        if (figures_) figures_->workers_busy.fetch_sub(1, std::memory_order_relaxed);
    }
    BusyWorker(const BusyWorker&) = delete;
    BusyWorker& operator=(const BusyWorker&) = delete;

   private:
    EngineFigures* const figures_;
};

}  // namespace weir::engines
