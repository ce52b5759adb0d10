#include "rules/auth/known_digests.h"

#include <algorithm>

namespace weir::rules {

/// In the place of the entry that ends first.
void KnownDigests::remember(const SipDigest& digest, Instant now) noexcept {
    Row& row = rows_[digest[0] % rows];
    const std::scoped_lock lock{row.mutex};
    auto place = std::ranges::find(row.entries, digest, &Entry::digest);
    if (place == row.entries.end())
        place = std::ranges::min_element(row.entries, {}, &Entry::until);
    *place = {.digest = digest, .until = now + time};
}

bool KnownDigests::knows(const SipDigest& digest, Instant now) const noexcept {
    const Row& row = rows_[digest[0] % rows];
    const std::scoped_lock lock{row.mutex};
    const auto place = std::ranges::find(row.entries, digest, &Entry::digest);
    return place != row.entries.end() && now < place->until;
}

}  // namespace weir::rules
