#include "engines/peer/connection_limit.h"

#include <poll.h>

#include <cerrno>
#include <utility>

#include "base/troubles.h"
#include "net/descriptors.h"

namespace weir::engines {

ConnectionLimit::ConnectionLimit(std::uint32_t connections_max, std::uint32_t per_address_max)
    : connections_max_{connections_max} {
    if (per_address_max != 0) of_addresses_.emplace(per_address_max);
}

std::error_code ConnectionLimit::open() const noexcept {
    if (connections_max_ == 0) net::raise_descriptor_limit();
    if (net::descriptors().measure()) return {};
    return {EMFILE, std::generic_category()};
}

net::Accepted ConnectionLimit::accept(net::Listener& listener) noexcept {
    if (!acquire()) return {net::Accepted::Kind::exhausted};
    net::Accepted accepted = net::accept_connection(listener.fd());
    while (accepted.error == EMFILE && net::descriptors().close_a_file())
        accepted = net::accept_connection(listener.fd());
    if (accepted.error == EMFILE || accepted.error == ENFILE) troubles().note(Trouble::descriptors);
    accepted.peer.listener_kind(listener.listener_kind());
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

void ConnectionLimit::back_off() noexcept { ::poll(nullptr, 0, static_cast<int>(pause.count())); }

bool ConnectionLimit::acquire() noexcept {
    const bool is_limited = connections_max_ != 0;
    const bool has_room =
        !is_limited || open_.fetch_add(1, std::memory_order_relaxed) < connections_max_;
    if (has_room && net::descriptors().take_for_connection()) return true;
    if (is_limited) open_.fetch_sub(1, std::memory_order_relaxed);
    return false;
}

void ConnectionLimit::release() noexcept {
    if (connections_max_ != 0) open_.fetch_sub(1, std::memory_order_relaxed);
    net::descriptors().give_back();
}

void ConnectionLimit::note_refusal() const noexcept {
    const bool is_reached =
        connections_max_ != 0 && open_.load(std::memory_order_relaxed) >= connections_max_;
    if (is_reached)
        troubles().note(Trouble::connections);
    else if (net::descriptors().is_full())
        troubles().note(Trouble::descriptors);
}

}  // namespace weir::engines
