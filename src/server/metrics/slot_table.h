#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "net/mapping.h"
#include "server/metrics/counts.h"

namespace weir::server {

/// Counts for each thread that serves, in memory that the processes of the server share. A thread
/// takes a slot when it first counts, and gives it back when it ends. The next one goes on from the
/// numbers that are in it: so a sum over all slots loses nothing and has nothing twice, whoever comes
/// and goes meanwhile. Where no slot is free, threads share one, by instructions that lock.
class SlotTable {
   public:
    static constexpr std::size_t slots = 512;  // 3 MB of addresses; memory for those that are used

    /// Before forks. Throws std::system_error if the system has no memory left.
    SlotTable();

    /// A slot's number; `slots`: the one that all share.
    std::size_t take() noexcept;
    /// What take() returned. The shared one stays.
    void give_back(std::size_t slot) noexcept;
    /// Frees the slots of processes that have died without giving them back.
    void reclaim() noexcept;

    Counts& counts(std::size_t slot) noexcept { return shared_->counts[slot]; }
    /// So many slots have been used; besides, the shared one.
    std::size_t used() const noexcept { return shared_->used.load(std::memory_order_acquire); }
    /// The process whose thread has the slot; 0: nobody has it.
    int owner(std::size_t slot) const noexcept { return shared_->owners[slot].load(); }

    /// Calls `visit(counts, slot)` for each slot that was used, and for the shared one.
    template <typename Visit>
    void each(Visit visit) {
        for (std::size_t slot = 0; slot < used(); ++slot) visit(counts(slot), slot);
        visit(counts(slots), slots);
    }

   private:
    struct Shared {
        std::atomic<std::size_t> used{0};
        std::array<std::atomic<int>, slots> owners{};
        std::array<Counts, slots + 1> counts{};
    };

    net::Mapping memory_;
    Shared* shared_;  // in `memory_`
};

/// What a thread counts in.
class OwnSlot {
   public:
    OwnSlot() = default;
    ~OwnSlot() { give_back(); }
    OwnSlot(const OwnSlot&) = delete;
    OwnSlot& operator=(const OwnSlot&) = delete;

    bool is_of(const SlotTable& table) const noexcept { return table_.get() == &table; }
    /// And nobody else writes to it.
    bool is_alone_in(const SlotTable& table) const noexcept { return alone_in_ == &table; }
    /// Gives back what it had of another table.
    void take(const std::shared_ptr<SlotTable>& table) noexcept;
    void give_back() noexcept;
    /// In a process that was forked: the slot is the parent's.
    void forget() noexcept {
        table_.reset();
        alone_in_ = nullptr;
    }

    Counts& counts() const noexcept { return *counts_; }

   private:
    std::shared_ptr<SlotTable> table_;  // null: it has no slot
    const SlotTable* alone_in_ = nullptr;
    Counts* counts_ = nullptr;
    std::size_t slot_ = SlotTable::slots;
};

}  // namespace weir::server
