#include "engines/loop/epoll_connections.h"

#include <algorithm>
#include <cerrno>

namespace weir::engines {

using net::StopSignal;

std::error_code EpollConnections::open() {
    if (const auto error = epoll_.open()) return error;
    // The stop's descriptors stay readable. EPOLLET announces them once.
    constexpr std::uint32_t once = EPOLLIN | EPOLLET;
    const bool ready =
        epoll_.add(host_.stop.descriptor(StopSignal::State::running), once, stop_tag) &&
        epoll_.add(host_.stop.descriptor(StopSignal::State::draining), once, stop_tag) &&
        epoll_.add(run_queue().completions()->fd(), EPOLLIN, completion_tag) && add_listeners() &&
        (acceptor().inbox_fd() < 0 || epoll_.add(acceptor().inbox_fd(), EPOLLIN, listener_tag)) &&
        (!host_.pulse || epoll_.add(host_.pulse->fd(), EPOLLIN, pulse_tag));
    acceptor().note_arrivals();
    return ready ? std::error_code{} : std::error_code{errno, std::generic_category()};
}

void EpollConnections::note(std::uint64_t tag) noexcept {
    if (tag == completion_tag) run_queue().note_completions();
    if (tag == listener_tag) acceptor().note_arrivals();
    if (tag == pulse_tag) host_.pulse->clear();
    // A stop needs no note: each turn reads the state of the stop signal.
}

bool EpollConnections::watch_socket(Peer& peer, std::uint32_t events) noexcept {
    const auto about = reinterpret_cast<std::uint64_t>(&peer);
    const bool is_known = peer.watched_for != 0;
    peer.watched_for = static_cast<std::uint16_t>(events);
    return is_known ? epoll_.modify(peer.socket.get(), events, about)
                    : epoll_.add(peer.socket.get(), events, about);
}

void EpollConnections::watch_listeners(bool wanted) noexcept {
    if (!wanted) return remove_listeners();
    if (add_listeners()) return;
    remove_listeners();
    acceptor().pause(now().instant);
}

// Level-triggered: connections that a turn leaves in a queue are announced again. EPOLLEXCLUSIVE:
// loops may share a queue, as the siblings of a unix socket do; then the kernel wakes one of them,
// and not all.
bool EpollConnections::add_listeners() noexcept {
    listeners_are_watched_ = true;
    return std::ranges::all_of(acceptor().listeners(), [this](const auto& listener) {
        return listener.fd() < 0 ||
               epoll_.add(listener.fd(), EPOLLIN | EPOLLEXCLUSIVE, listener_tag);
    });
}

// Called before a listener closes. Otherwise epoll(7) would go on to report the queue that its
// siblings share.
void EpollConnections::remove_listeners() noexcept {
    listeners_are_watched_ = false;
    for (const auto& listener : acceptor().listeners()) epoll_.remove(listener.fd());
}

}  // namespace weir::engines
