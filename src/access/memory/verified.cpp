#include "access/memory/verified.h"

#include <system_error>

#include "base/last_error.h"

namespace weir::access {

Verified::Verified() : mapping_{net::Mapping::among_forks(rows * row_entries * sizeof(Entry))} {
    if (!mapping_) throw std::system_error{last_error(), "no memory for verified passwords"};
}

Verified::Entry& Verified::entry_at(const SipDigest& digest, std::size_t number) const noexcept {
    const auto row = static_cast<std::size_t>(digest[0] % rows);
    return *mapping_.at<Entry>((row * row_entries + number) * sizeof(Entry));
}

/// Overwrites the entry of the same digest, or the one of its row that ends first.
void Verified::remember(const SipDigest& digest, Instant now) noexcept {
    Entry* place = &entry_at(digest, 0);
    for (std::size_t number = 0; number < row_entries; ++number) {
        Entry& entry = entry_at(digest, number);
        if (entry.until.load() < place->until.load()) place = &entry;
        if (entry.first.load() != digest[0] || entry.second.load() != digest[1]) continue;
        place = &entry;
        break;
    }
    place->until.store(0);
    place->first.store(digest[0]);
    place->second.store(digest[1]);
    place->until.store((now + time).time_since_epoch().count());
}

bool Verified::knows(const SipDigest& digest, Instant now) const noexcept {
    for (std::size_t number = 0; number < row_entries; ++number) {
        const Entry& entry = entry_at(digest, number);
        if (entry.first.load() == digest[0] && entry.second.load() == digest[1])
            return now.time_since_epoch().count() < entry.until.load();
    }
    return false;
}

}  // namespace weir::access
