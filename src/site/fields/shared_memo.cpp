#include "site/fields/shared_memo.h"

namespace weir::site {

namespace {

/// 0 has a meaning of its own.
std::uint64_t not_zero(std::uint64_t number) noexcept { return number == 0 ? 1 : number; }

/// The slots of a key follow each other. Few, so that a look is short even if all are taken.
constexpr std::size_t tries_max = 32;

}  // namespace

SharedMemo::Slot& SharedMemo::slot_of(std::uint64_t key, std::size_t attempt) const noexcept {
    const std::size_t number = (static_cast<std::size_t>(key) + attempt) % slots_;
    return *mapping_.at<Slot>(number * sizeof(Slot));
}

std::optional<std::uint64_t> SharedMemo::find(std::uint64_t key) const noexcept {
    if (!mapping_) return std::nullopt;
    key = not_zero(key);
    for (std::size_t attempt = 0; attempt < tries_max; ++attempt) {
        const Slot& slot = slot_of(key, attempt);
        const std::uint64_t taken = slot.key.load(std::memory_order_acquire);
        if (taken == 0) return std::nullopt;
        if (taken != key) continue;
        const std::uint64_t value = slot.value.load(std::memory_order_acquire);
        return value == 0 ? std::nullopt : std::optional{value};
    }
    return std::nullopt;
}

std::pair<SharedMemo::Slot*, bool> SharedMemo::take(std::uint64_t key) noexcept {
    if (!mapping_) return {};
    key = not_zero(key);
    for (std::size_t attempt = 0; attempt < tries_max; ++attempt) {
        Slot& slot = slot_of(key, attempt);
        std::uint64_t taken = 0;
        if (slot.key.compare_exchange_strong(taken, key)) return {&slot, true};
        if (taken == key) return {&slot, false};
    }
    return {};
}

std::optional<std::uint64_t> SharedMemo::keep(std::uint64_t key, std::uint64_t value) noexcept {
    Slot* const slot = take(key).first;
    if (slot == nullptr) return std::nullopt;
    value = not_zero(value);
    std::uint64_t first = 0;
    return slot->value.compare_exchange_strong(first, value) ? value : first;
}

bool SharedMemo::is_first(std::uint64_t key) noexcept { return take(key).second; }

}  // namespace weir::site
