#include "access/memory/rate_table.h"

#include <algorithm>
#include <system_error>

#include "base/last_error.h"

namespace weir::access {
namespace {

/// 0 is the mark of a free slot.
std::uint64_t not_zero(std::uint64_t number) noexcept { return number == 0 ? 1 : number; }

}  // namespace

RateTable::RateTable(Limit limit, std::size_t clients)
    : limit_{limit},
      sets_{std::max<std::size_t>(clients / ways, 1)},
      mapping_{net::Mapping::among_forks(sets_ * ways * sizeof(Slot))} {
    if (!mapping_) throw std::system_error{last_error(), "no memory for the limits of clients"};
}

RateTable::Microseconds RateTable::take(std::uint64_t client, Instant now) noexcept {
    const std::int64_t here = Microseconds{now.time_since_epoch()}.count();
    const std::int64_t interval = limit_.interval.count();
    const std::int64_t tolerance = interval * (std::int64_t{limit_.burst} - 1);
    Slot& slot = slot_of(not_zero(client));
    std::int64_t paid = slot.paid_until.load(std::memory_order_relaxed);
    for (;;) {
        const std::int64_t from = std::max(paid, here);
        if (from - here > tolerance) return Microseconds{from - here - tolerance};
        if (slot.paid_until.compare_exchange_weak(paid, from + interval)) return Microseconds{0};
    }
}

void RateTable::give_back(std::uint64_t client) noexcept {
    if (Slot* const slot = find(not_zero(client)))
        slot->paid_until.fetch_sub(limit_.interval.count());
}

RateTable::Slot& RateTable::slot_at(std::uint64_t client, std::size_t way) const noexcept {
    const std::size_t set = static_cast<std::size_t>(client % sets_);
    return *mapping_.at<Slot>((set * ways + way) * sizeof(Slot));
}

RateTable::Slot* RateTable::find(std::uint64_t client) const noexcept {
    for (std::size_t way = 0; way < ways; ++way)
        if (Slot& slot = slot_at(client, way); slot.client.load() == client) return &slot;
    return nullptr;
}

/// Two clients that take the same place at the same time may share it for a moment.
RateTable::Slot& RateTable::slot_of(std::uint64_t client) noexcept {
    if (Slot* const known = find(client)) return *known;
    Slot* least = &slot_at(client, 0);
    for (std::size_t way = 1; way < ways; ++way)
        if (Slot& slot = slot_at(client, way); slot.paid_until.load() < least->paid_until.load())
            least = &slot;
    least->client.store(client);
    least->paid_until.store(0);
    return *least;
}

}  // namespace weir::access
