#include "engines/asio/acceptor.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "net/descriptors.h"

namespace weir::engines {
namespace {

net::PeerAddress address_of(const AsioProtocol::endpoint& endpoint) {
    sockaddr_storage storage{};
    storage.ss_family = AF_UNIX;  // a unix socket's peer has no name, and often not even a family
    std::memcpy(&storage, endpoint.data(), std::min(endpoint.size(), sizeof storage));
    return net::PeerAddress{storage};
}

}  // namespace

/// Asio closes the descriptors that it gets, and the host owns those of the listeners: so it gets
/// duplicates.
std::error_code AsioAcceptor::open() {
    for (Entrance& entrance : entrances_) {
        const int duplicate = ::fcntl(entrance.listener.fd(), F_DUPFD_CLOEXEC, 0);
        if (duplicate < 0) return {errno, std::generic_category()};
        std::error_code error;
        entrance.acceptor.assign({entrance.listener.address().family(), 0}, duplicate, error);
        if (error) {
            ::close(duplicate);
            return error;
        }
        // By default Asio hides a connection that ended before its accept, and waits for the next
        // edge.
        entrance.acceptor.set_option(asio::socket_base::enable_connection_aborted{true});
        entrance.acceptor.non_blocking(true);
    }
    return {};
}

void AsioAcceptor::accept() {
    for (Entrance& entrance : entrances_) {
        if (!admit_held(entrance) || !entrance.acceptor.is_open()) continue;
        if (is_draining_)
            accept_queued(entrance);
        else if (!is_paused_)
            accept_at(entrance);
    }
}

void AsioAcceptor::accept_at(Entrance& entrance) {
    if (entrance.is_accepting) return;
    const unsigned round = ++entrance.round;
    entrance.acceptor.async_accept(
        entrance.peer, [this, &entrance, round](std::error_code error, AsioSocket socket) {
            if (round != entrance.round) return;  // a later async_accept has replaced it
            entrance.is_accepting = false;
            accepted(entrance, error, std::move(socket));
        });
    entrance.is_accepting = true;
}

/// If Asio runs out of memory while it accepts, it forgets its async_accept.
void AsioAcceptor::accept_again() {
    for (Entrance& entrance : entrances_) {
        if (entrance.acceptor.is_open()) entrance.acceptor.cancel();
        entrance.is_accepting = false;
    }
    accept();
}

void AsioAcceptor::accepted(Entrance& entrance, std::error_code error, AsioSocket socket) {
    if (is_cut_) return;
    if (!error) {
        hold(entrance, std::move(socket), entrance.peer);
    } else {
        using enum net::Accepted::Kind;
        const auto kind = net::kind_of_accept_error(error.value());
        if (kind == failed) close(entrance);
        const bool has_room = error.value() == EMFILE && net::descriptors().close_a_file();
        if (kind == exhausted && !has_room) pause();
    }
    changed_();
}

/// Connections that reached the server before the stop are served: otherwise the kernel would reset
/// them. So each one in the queue is accepted at once.
void AsioAcceptor::accept_queued(Entrance& entrance) {
    while (entrance.queued != 0 && !is_paused_) {
        std::error_code error;
        AsioProtocol::endpoint peer;
        AsioSocket socket = entrance.acceptor.accept(peer, error);
        const auto kind =
            error ? net::kind_of_accept_error(error.value()) : net::Accepted::Kind::connection;
        if (kind == net::Accepted::Kind::none || kind == net::Accepted::Kind::failed) break;
        if (kind == net::Accepted::Kind::exhausted) return pause();
        if (kind == net::Accepted::Kind::gone) continue;
        --entrance.queued;
        hold(entrance, std::move(socket), peer);
        if (!admit_held(entrance)) return;
    }
    if (!is_paused_) close(entrance);
}

/// accept(2) as Asio calls it leaves the descriptor open in programs that a handler starts (no
/// SOCK_CLOEXEC).
void AsioAcceptor::hold(Entrance& entrance, AsioSocket socket, const AsioProtocol::endpoint& peer) {
    ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    Held& one = entrance.held.emplace_back(std::move(socket), address_of(peer));
    one.address.listener_kind(entrance.listener.listener_kind());
}

bool AsioAcceptor::admit_held(Entrance& entrance) {
    while (!entrance.held.empty()) {
        if (!limit_.acquire()) {
            pause();
            return false;
        }
        Held one = std::move(entrance.held.front());
        entrance.held.pop_front();
        if (!limit_.admit(one.address)) continue;
        try {
            admit_(std::move(one.socket), one.address);
        } catch (const std::bad_alloc&) {
            limit_.release(one.address);
            troubles().note(Trouble::memory);
            pause();
            return false;
        }
    }
    return true;
}

void AsioAcceptor::pause() {
    if (is_paused_) return;
    std::size_t waiting = 0;
    for (const Entrance& entrance : entrances_)
        waiting += entrance.listener.waiting() + entrance.held.size();
    if (waiting != 0) {
        limit_.note_refusal();
        refused_(waiting);
    }
    retry_.expires_after(ConnectionLimit::pause);
    retry_.async_wait([this](std::error_code error) {
        if (error) return;
        is_paused_ = false;
        changed_();
    });
    is_paused_ = true;
}

void AsioAcceptor::connection_closed(const net::PeerAddress& address) {
    limit_.release(address);
    if (!is_paused_) return;
    try {
        asio::post(retry_.get_executor(), [this] { changed_(); });
    } catch (const std::bad_alloc&) {
        return;  // the pause ends by itself
    }
    is_paused_ = false;
    retry_.cancel();
}

void AsioAcceptor::drain() {
    is_draining_ = true;
    for (Entrance& entrance : entrances_) {
        entrance.queued = entrance.listener.queued();
        if (entrance.acceptor.is_open()) entrance.acceptor.cancel();
    }
    accept();
}

void AsioAcceptor::close() {
    is_cut_ = true;
    for (Entrance& entrance : entrances_) close(entrance);
}

void AsioAcceptor::close(Entrance& entrance) {
    std::error_code ignored;
    entrance.acceptor.close(ignored);
    entrance.listener.close();
    entrance.held.clear();
}

/// A canceled accept may have succeeded before: its connection comes with the completion.
bool AsioAcceptor::is_closed() const noexcept {
    return std::ranges::none_of(entrances_, [this](const Entrance& each) {
        const bool may_come = each.is_accepting && !is_cut_;
        return each.acceptor.is_open() || may_come || !each.held.empty();
    });
}

}  // namespace weir::engines
