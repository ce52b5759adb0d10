#include "engines/peer/connection_limit.h"

#include <poll.h>

#include <algorithm>

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

ConnectionLimit::ConnectionLimit(std::uint32_t connections_max) noexcept
    : connections_max_{connections_max != 0 ? connections_max : as_many_as_possible()} {}

net::Accepted ConnectionLimit::accept(net::Listener& listener) noexcept {
    if (!acquire()) return {net::Accepted::Kind::exhausted};
    net::Accepted accepted = net::accept_connection(listener.fd());
    if (accepted.kind != net::Accepted::Kind::connection) release();
    if (accepted.kind == net::Accepted::Kind::failed) listener.close();
    return accepted;
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
