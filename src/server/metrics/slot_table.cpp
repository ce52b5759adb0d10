#include "server/metrics/slot_table.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace weir::server {
namespace {

bool has_died(int process) noexcept { return ::kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

/// The zeros of the mapping are a valid state, and are not written: pages come when they are used.
SlotTable::SlotTable() : memory_{net::Mapping::among_forks(sizeof(Shared))} {
    if (!memory_) throw std::system_error{errno, std::generic_category(), "mmap"};
    shared_ = memory_.at<Shared>(0);
}

std::size_t SlotTable::take() noexcept {
    const int self = ::getpid();
    for (std::size_t slot = 0; slot < slots; ++slot) {
        int nobody = 0;
        auto& owner = shared_->owners[slot];
        if (owner.load(std::memory_order_relaxed) != 0) continue;
        if (!owner.compare_exchange_strong(nobody, self, std::memory_order_acq_rel)) continue;
        std::size_t used = shared_->used.load();
        while (used <= slot && !shared_->used.compare_exchange_weak(used, slot + 1)) {}
        return slot;
    }
    return slots;
}

void SlotTable::give_back(std::size_t slot) noexcept {
    if (slot < slots) shared_->owners[slot].store(0, std::memory_order_release);
}

void SlotTable::reclaim() noexcept {
    for (std::size_t slot = 0; slot < used(); ++slot) {
        int owner = shared_->owners[slot].load();
        if (owner == 0 || !has_died(owner)) continue;
        Counts& left = counts(slot);
        left.turn_began = Instant{};
        left.handlers_ended = left.handlers_begun.load();  // with the process
        shared_->owners[slot].compare_exchange_strong(owner, 0);
    }
}

void OwnSlot::take(const std::shared_ptr<SlotTable>& table) noexcept {
    give_back();
    table_ = table;
    slot_ = table->take();
    counts_ = &table->counts(slot_);
    if (slot_ < SlotTable::slots) alone_in_ = table.get();
}

void OwnSlot::give_back() noexcept {
    if (!table_) return;
    table_->give_back(slot_);
    forget();
}

}  // namespace weir::server
