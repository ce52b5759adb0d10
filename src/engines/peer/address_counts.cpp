#include "engines/peer/address_counts.h"

#include <new>

namespace weir::engines {

bool AddressCounts::acquire(const net::PeerAddress& address) noexcept try {
    if (address.is_unix()) return true;
    const std::scoped_lock lock{mutex_};
    std::uint32_t& count = counts_[address.network()];
    if (count == connections_max_) return false;
    ++count;
    return true;
} catch (const std::bad_alloc&) {
    return false;
}

void AddressCounts::release(const net::PeerAddress& address) noexcept {
    if (address.is_unix()) return;
    const std::scoped_lock lock{mutex_};
    const auto found = counts_.find(address.network());
    if (--found->second == 0) counts_.erase(found);
}

}  // namespace weir::engines
