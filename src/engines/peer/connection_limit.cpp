#include "engines/peer/connection_limit.h"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "base/troubles.h"
#include "net/descriptor_limit.h"

namespace weir::engines {
namespace {

std::uint32_t as_many_as_possible() noexcept {
    constexpr std::uint32_t least = 8;
    const std::uint32_t limit = net::raise_descriptor_limit();
    const std::uint32_t reserve = 32 + limit / 16;
    return limit > reserve + least ? limit - reserve : least;
}

}  // namespace

ConnectionLimit::ConnectionLimit(std::uint32_t connections_max, std::uint32_t per_address_max)
    : connections_max_{connections_max != 0 ? connections_max : as_many_as_possible()} {
    if (per_address_max != 0) of_addresses_.emplace(per_address_max);
}

net::Accepted ConnectionLimit::accept(net::Listener& listener) noexcept {
    if (!acquire()) return {net::Accepted::Kind::exhausted};
    net::Accepted accepted = net::accept_connection(listener.fd());
    if (accepted.kind == net::Accepted::Kind::connection)
        return admit(accepted.peer) ? std::move(accepted)
                                    : net::Accepted{net::Accepted::Kind::gone};
    release();
    if (accepted.kind == net::Accepted::Kind::failed) listener.close();
    return accepted;
}

bool ConnectionLimit::admit(const net::PeerAddress& address) noexcept {
    if (!of_addresses_ || of_addresses_->acquire(address)) return true;
    troubles().note(Trouble::per_address);
    release();
    return false;
}

void ConnectionLimit::hold_up_thread() noexcept {
    ::poll(nullptr, 0, static_cast<int>(pause.count()));
}

bool ConnectionLimit::acquire() noexcept {
    if (open_.fetch_add(1, std::memory_order_relaxed) < connections_max_) return true;
    release();
    return false;
}

}  // namespace weir::engines
