#include "engines/threads/blocking_wait.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "engines/peer/connection_limit.h"
#include "engines/peer/transfer.h"
#include "net/clock.h"

namespace weir::engines {
namespace {

// A browser opens connections in advance, and keeps those it used: they may not shut others out.
constexpr std::chrono::milliseconds idle_grace{250};
constexpr std::size_t rivals_max = 8;

void retire(Peer& peer, Now now) {
    if (peer.retired) return;
    peer.retired = true;
    peer.connection->retire(now);
}

}  // namespace

BlockingWait::~BlockingWait() {
    if (completions_) completions_->close();
}

Now BlockingWait::read_clock() noexcept { return now_ = net::read_clock(); }

void BlockingWait::wait_for(Peer& peer, short events) {
    const Instant deadline = std::min(peer.connection->deadline(), cut_at_);
    const bool has_rivals = !rivals_.empty() || rivals_wait_ >= 0;
    if (events == POLLIN && !peer.retired && has_rivals) {
        const Instant gives_way_at = now_.instant + idle_grace;
        if (deadline > gives_way_at) {
            if (poll_until(gives_way_at, peer, events, false)) return;
            poll_until(deadline, peer, events, true);
            return;
        }
    }
    poll_until(deadline, peer, events, false);
}

bool BlockingWait::poll_until(Instant until, Peer& peer, short events, bool gives_way) {
    using enum net::StopSignal::State;
    enum : std::size_t { socket, mail, stop, rivals_wait, first_rival };
    std::array<pollfd, first_rival + rivals_max> watched;
    const auto want_end = static_cast<short>(events & POLLIN ? events | POLLRDHUP : events);
    watched[socket] = {peer.socket.get(), want_end, 0};
    watched[mail] = {completions_ ? completions_->fd() : -1, POLLIN, 0};
    watched[stop] = {host_.stop.descriptor(peer.retired ? draining : running), POLLIN, 0};
    watched[rivals_wait] = {gives_way ? rivals_wait_ : -1, POLLIN, 0};
    std::size_t count = first_rival;
    const auto rivals = gives_way ? rivals_ : std::span<const net::Listener>{};
    for (const auto& rival : rivals.first(std::min(rivals.size(), rivals_max)))
        watched[count++] = {rival.fd(), POLLIN, 0};

    const int ready = ::poll(watched.data(), count, net::wait_milliseconds(until, now_.instant));
    read_clock();
    peer.note(static_cast<std::uint16_t>(watched[socket].revents));
    if (peer.broken && events == 0) peer.connection->fail(http::Outcome::peer_gone, now_);
    // A request that has reached us is received before it is told that the server stops.
    const bool arrived = watched[socket].revents & POLLIN && !peer.retired;
    if (watched[stop].revents && !arrived) obey_stop(peer);
    if (watched[mail].revents) deliver_completions(peer);
    for (std::size_t rival = rivals_wait; rival < count; ++rival)
        if (watched[rival].revents && !arrived) retire(peer, now_);
    if (now_.instant >= cut_at_) obey_stop(peer);
    if (now_.instant >= peer.connection->deadline()) peer.connection->expire(now_);
    return ready != 0;
}

void BlockingWait::look_around(Peer& peer, std::span<char> buffer) {
    if (completions_) deliver_completions(peer);
    if (now_.instant >= peer.connection->deadline()) peer.connection->expire(now_);
    const bool hears_of_stop =
        !peer.retired && host_.stop.state() != net::StopSignal::State::running;
    const bool reads = http::reads(peer.connection->step());
    // While there is always room to send into, nobody asks whether there are bytes.
    const bool only_sends = peer.connection->step() == http::Step::exchange && peer.writable;
    if (only_sends || hears_of_stop) peer.readable = true;
    if (reads && hears_of_stop) receive(peer, buffer, now_);
    obey_stop(peer);
}

void BlockingWait::pause() {
    pollfd watched{host_.stop.descriptor(host_.stop.state()), POLLIN, 0};
    ::poll(&watched, 1, static_cast<int>(ConnectionLimit::pause.count()));
}

bool BlockingWait::is_draining() {
    const auto state = host_.stop.state();
    if (state == net::StopSignal::State::running) return false;
    read_clock();
    if (cut_at_ == never) cut_at_ = now_.instant + host_.options.stop_timeout;
    return state == net::StopSignal::State::draining && now_.instant < cut_at_;
}

void BlockingWait::deliver_completions(Peer& peer) {
    for (CompletionQueue::Completion& completion : completions_->collect())
        if (completion.ticket.connection == peer.number()) deliver(completion, peer, now_);
}

void BlockingWait::obey_stop(Peer& peer) {
    const auto state = host_.stop.state();
    if (state == net::StopSignal::State::running) return;
    if (cut_at_ == never) cut_at_ = now_.instant + host_.options.stop_timeout;
    if (state == net::StopSignal::State::now || now_.instant >= cut_at_)
        peer.connection->fail(http::Outcome::stopped, now_);
    else
        retire(peer, now_);
}

}  // namespace weir::engines
