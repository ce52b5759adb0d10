#include "engines/loop/select_connections.h"

#include <algorithm>
#include <cerrno>

#include "engines/peer/poll.h"

namespace weir::engines {

using net::StopSignal;

std::error_code SelectConnections::open() {
    int highest = -1;
    for (const auto state : {StopSignal::State::running, StopSignal::State::draining})
        highest = std::max(highest, host_.stop.descriptor(state));
    for (const auto& listener : acceptor().listeners()) highest = std::max(highest, listener.fd());
    const bool fit = net::DescriptorSet::has_room_for(highest);
    if (fit && watch(run_queue().completions()->fd())) return {};
    return {EMFILE, std::generic_category()};
}

bool SelectConnections::watch(int fd) {
    if (!net::DescriptorSet::has_room_for(fd)) return false;
    for_bytes_.put(fd, true);
    return true;
}

int SelectConnections::wait() {
    readable_ = for_bytes_;
    writable_ = for_space_;
    if (stop_fd() >= 0) readable_.put(stop_fd(), true);
    for (const auto& listener : acceptor().listeners())
        if (listener.fd() >= 0 && !acceptor().is_paused()) readable_.put(listener.fd(), true);
    const int milliseconds = time_to_wait();
    timeval time{milliseconds / 1000, milliseconds % 1000 * 1000};
    // A failure (-1) counts as no event.
    const int ready = ::select(FD_SETSIZE, readable_.bits(), writable_.bits(), nullptr,
                               milliseconds < 0 ? nullptr : &time);
    if (ready < 0 && errno != EINTR) pause_after_failure(milliseconds);
    return ready;
}

Peer* SelectConnections::peer_of(int fd, bool readable, bool writable) noexcept {
    Peer* const peer = peers_[static_cast<std::size_t>(fd)];
    if (peer) {
        if (readable) peer->readable = true;
        if (writable) peer->writable = true;
    } else if (fd == run_queue().completions()->fd()) {
        run_queue().note_completions();
    } else if (std::ranges::any_of(acceptor().listeners(),
                                   [fd](const auto& each) { return each.fd() == fd; })) {
        acceptor().note_arrivals();
    }
    return peer;
}

void SelectConnections::turn_away_unless_watchable(Peer& peer) {
    if (!can_watch(peer) && http::reads(peer.connection->step())) peer.connection->turn_away(now());
}

void SelectConnections::watch(Peer& peer, bool for_bytes, bool for_space) {
    if (can_watch(peer)) return put(peer, &peer, for_bytes, for_space);
    peer.readable = peer.writable = true;
    run_queue().watch_deadline(peer, now().instant + between_looks);
}

void SelectConnections::unwatch(const Peer& peer) {
    if (can_watch(peer)) put(peer, nullptr, false, false);
}

void SelectConnections::put(const Peer& peer, Peer* watched, bool for_bytes, bool for_space) {
    const int fd = peer.socket.get();
    peers_[static_cast<std::size_t>(fd)] = watched;
    for_bytes_.put(fd, for_bytes);
    for_space_.put(fd, for_space);
}

}  // namespace weir::engines
