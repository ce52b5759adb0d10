#include "engines/threads/blocking_wait.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/troubles.h"
#include "engines/peer/poll.h"
#include "engines/peer/transfer.h"
#include "net/clock.h"

namespace weir::engines {
namespace {

constexpr std::size_t listeners_max = 8;  // of the backlog

}  // namespace

BlockingWait::~BlockingWait() {
    if (completions_) completions_->close();
}

Now BlockingWait::read_clock() noexcept { return now_ = net::read_clock(); }

void BlockingWait::receive(Peer& peer) {
    if (!engines::receive(peer, buffer_, read_clock())) return wait_for(peer, POLLIN);
    check_without_waiting(peer);
}

void BlockingWait::transmit(Peer& peer) {
    if (!engines::transmit(peer, read_clock())) return wait_for(peer, POLLOUT);
    check_without_waiting(peer);
}

void BlockingWait::exchange(Peer& peer) {
    if (!engines::exchange(peer, buffer_, read_clock())) return wait_for(peer, POLLIN | POLLOUT);
    check_without_waiting(peer);
}

void BlockingWait::await_answer(Peer& peer) {
    read_clock();
    wait_for(peer, 0);
}

/// The time of a handler is not its peer's fault, so such a connection is never cut. The backlog
/// matters once the time slice has ended, and eviction once the peer has sent nothing for as long.
void BlockingWait::wait_for(Peer& peer, short events) {
    const Instant deadline = std::min(peer.connection->deadline(), host_.cut_at());
    const bool may_be_cut = events != 0 && has_backlog() &&
                            peer.connection->close_impact() != http::CloseImpact::handling;
    if (evictor_.has_asked()) evictor_.ask_for_files(now_);
    if (may_be_cut && cut_ == peer.number()) return cut(peer);
    if (may_be_cut) time_slice_.look(peer, now_);
    const Instant backlog_from = may_be_cut ? time_slice_.ends_at() : never;
    const int eviction = events == POLLIN ? evictor_.descriptor(peer) : -1;
    const Instant eviction_from = eviction >= 0 ? now_.instant + PeerTimeSlice::length : never;
    for (;;) {
        const Instant now = now_.instant;
        Instant until = deadline;
        for (const Instant from : {backlog_from, eviction_from})
            if (from > now) until = std::min(until, from);
        const bool has_happened =
            poll_until(until, peer, events, now >= backlog_from ? backlog_ : Backlog{},
                       now >= eviction_from ? eviction : -1);
        if (has_happened || until == deadline) return;
    }
}

/// Returns false if the time was over before anything happened.
bool BlockingWait::poll_until(Instant until, Peer& peer, short events, Backlog backlog,
                              int eviction) {
    using enum net::StopSignal::State;
    enum : std::size_t { socket, completion, stop, evicting, queue, first_listener };
    const bool knows_of_stop = is_retired(peer) && host_.stop.state() != running;
    const auto with_end = static_cast<short>(events & POLLIN ? events | POLLRDHUP : events);
    std::array<pollfd, first_listener + listeners_max + OutboundPeers::peers_max> watched;
    watched[socket] = {peer.socket.get(), with_end, 0};
    watched[completion] = {completions_ ? completions_->fd() : -1, POLLIN, 0};
    watched[stop] = {host_.stop.descriptor(knows_of_stop ? draining : running), POLLIN, 0};
    watched[evicting] = {eviction, POLLIN, 0};
    watched[queue] = {backlog.queue_fd, POLLIN, 0};
    std::size_t count = first_listener;
    for (const auto& listener :
         backlog.listeners.first(std::min(backlog.listeners.size(), listeners_max)))
        watched[count++] = {listener.fd(), POLLIN, 0};
    const auto room = std::span{watched}.subspan(count).first<OutboundPeers::peers_max>();
    const std::span outbound = room.first(outbound_.watch(room));

    until = std::min(until, outbound_.next());
    if (completions_) completions_->enter();
    if (completions_ && completions_->has_own()) until = now_.instant;
    const int ready = engines::poll(std::span{watched}.first(count + outbound.size()),
                                    net::wait_milliseconds(until, now_.instant));
    read_clock();
    peer.note(static_cast<std::uint16_t>(watched[socket].revents));
    if (peer.broken && events == 0) peer.connection->fail(http::Outcome::peer_gone, now_);
    // A request that has arrived is received before its connection is retired.
    const bool arrived = watched[socket].revents & POLLIN && !is_retired(peer);
    if (watched[stop].revents && !arrived) obey_stop(peer);
    if (!outbound.empty()) outbound_.take(outbound, free_buffer(peer), now_);
    const bool has_completions =
        watched[completion].revents != 0 || (completions_ && completions_->has_own());
    if (has_completions) deliver_completions(peer);
    const bool others_wait = std::any_of(watched.begin() + queue, watched.begin() + count,
                                         [](const pollfd& each) { return each.revents != 0; });
    if (others_wait && peer.connection->step() != http::Step::close) yield_thread(peer);
    if (watched[evicting].revents && !arrived) evictor_.evict(peer, now_);
    if (now_.instant >= host_.cut_at()) obey_stop(peer);
    // Bytes that came in time are received before the deadline is checked.
    const bool came = watched[socket].revents & POLLIN && http::reads(peer.connection->step());
    if (!came) expire(peer, buffer_, now_);
    return ready != 0 || has_completions || !outbound.empty();
}

/// After a transfer, without waiting: tells the connection the same as poll_until() would. A peer
/// that always sends, or always takes bytes, may keep the thread from waiting for long.
void BlockingWait::check_without_waiting(Peer& peer) {
    if (completions_) deliver_completions(peer);
    if (evictor_.is_due()) [[unlikely]]
        evictor_.ask_for_files(now_);
    expire(*peer.connection, peer.socket.get(), now_);
    // As long as the socket has space, no poll(2) reports that bytes have arrived.
    if (peer.connection->step() == http::Step::exchange && peer.writable) peer.readable = true;
    if (host_.stop.state() == net::StopSignal::State::running) return;
    if (!is_retired(peer) && http::reads(peer.connection->step())) {
        // Bytes that have arrived are received before the connection is retired.
        peer.readable = true;
        engines::receive(peer, buffer_, now_);
    }
    obey_stop(peer);
}

void BlockingWait::deliver_completions(Peer& peer) {
    for (Completion& completion : completions_->collect()) {
        if (completion.outbound())
            outbound_.adopt(*completion.outbound(), completions_, now_);
        else if (completion.ticket().connection == peer.number())
            completion.deliver(*peer.connection, now_);
        else if (!outbound_.are_none())
            outbound_.deliver(completion, free_buffer(peer), now_);
    }
}

/// The buffer may hold bytes that the connection still borrows.
std::span<char> BlockingWait::free_buffer(Peer& peer) {
    peer.connection->take_ownership(now_);
    return buffer_;
}

void BlockingWait::obey_stop(Peer& peer) {
    const auto state = host_.stop.state();
    if (state == net::StopSignal::State::running) return;
    if (state == net::StopSignal::State::now || now_.instant >= host_.cut_at())
        peer.connection->fail(http::Outcome::stopped, now_);
    else
        retire(peer);
}

/// The time slice has ended, and other connections wait for a thread.
void BlockingWait::yield_thread(Peer& peer) {
    switch (time_slice_.judge(peer, is_retired(peer), now_)) {
        case PeerTimeSlice::Verdict::stay: return;
        case PeerTimeSlice::Verdict::retire:
            // A request that has arrived is received before its connection is retired.
            peer.readable = true;
            if (http::reads(peer.connection->step())) engines::receive(peer, buffer_, now_);
            return retire(peer);
        case PeerTimeSlice::Verdict::cut: return cut(peer);
    }
}

/// A peer that has begun a request gets an error (turn_away()), if it takes the few bytes at once.
void BlockingWait::cut(Peer& peer) {
    const http::Step step = peer.connection->step();
    const bool was_told = std::exchange(cut_, peer.number()) == peer.number();
    if (!was_told) troubles().note(Trouble::slow_peers);
    if (!was_told && peer.has_sent && http::reads(step) && step != http::Step::drain)
        return peer.connection->turn_away(now_);
    peer.connection->fail(http::Outcome::timed_out, now_);
}

void BlockingWait::retire(Peer& peer) {
    if (is_retired(peer)) return;
    retired_ = peer.number();
    peer.connection->retire(now_);
}

}  // namespace weir::engines
