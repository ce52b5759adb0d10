// epoll-edge: one thread, all connections, edge-triggered epoll(7).
//
// Who waits:          one thread, in epoll_wait(2), for all sockets at once. The kernel tells it of
//                     changes (edges), not of states: a socket is announced once when it becomes
//                     readable, and not again until it was emptied and fills anew.
// Where handlers run: inline, on that thread. A handler that blocks, blocks everybody.
// What is shared:     one receive buffer and one workspace, by all connections, one after the
// other:
//                     settle() before turning to the next.
// An idle connection: a Peer, its http::Connection, a slot in the heap of deadlines; no buffer.
// Calls per request:  recv and send, and a share of an epoll_wait that announced many at once. A
// read
//                     that comes back short has emptied its socket, so there is no second one to be
//                     told EAGAIN. epoll_ctl once in a connection's life; once more where its peer
//                     reads slowly; never where the whole connection passes in its first turn.
//
// Where it breaks: an edge that is forgotten never comes back. So what the kernel has said is kept
// in the peer's hints until a system call proves otherwise, and a peer that used up its turn stands
// in a line of the loop's own. And one thread is one core.
//
// When it is right: many connections, short handlers, one core. `per-core` runs one such loop on
// each.

#include "engines/epoll_loop.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "engines/deadlines.h"
#include "engines/entry_points.h"
#include "engines/peer_table.h"
#include "engines/transfer.h"
#include "net/accept.h"
#include "net/clock.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::StopSignal;

constexpr std::size_t receive_bytes = 64 * 1024;
constexpr std::size_t events_per_wait = 256;
// What one peer, or the listener, may do before the others have their turn.
constexpr unsigned transfers_per_turn = 16;
constexpr unsigned accepts_per_turn = 64;

constexpr bool is_worth_another(Accepted::Kind kind) noexcept {
    return kind == Accepted::Kind::connection || kind == Accepted::Kind::gone;
}

class EpollLoop {
   public:
    EpollLoop(Host& host, Gate& gate, std::span<net::Listener> listeners)
        : host_{host},
          gate_{gate},
          listeners_{listeners},
          workspace_{host.limits, host.timeouts, host.observer} {}
    ~EpollLoop() { mailbox_->close(); }

    std::error_code open();
    void run();

   private:
    // What an event is about: a peer, by its address, or one of these.
    enum Tag : std::uint64_t { stop_tag = 1, mail_tag = 3, listener_tag = 5 };

    bool watch(int operation, int fd, std::uint32_t events, std::uint64_t about);
    bool is_done() const noexcept;
    int wait_time() const noexcept;
    std::size_t wait_for_events();
    void take(const epoll_event& event);
    void watch_listeners(int operation);
    void accept_connections();
    Accepted::Kind accept_connection(net::Listener& listener);
    void pause_accepting();
    void resume_accepting();
    void admit(Accepted& accepted);
    void drive(Peer& peer);
    void rest(Peer& peer);
    void close(Peer& peer);
    void deliver_mail();
    void go_on_with_unfinished();
    void expire_deadlines();
    void obey_stop();
    void drain();
    void cut();

    Host& host_;
    Gate& gate_;
    std::span<net::Listener> listeners_;
    http::Workspace workspace_;
    net::UniqueFd epoll_;
    std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
    PeerTable peers_;
    Deadlines deadlines_;
    std::vector<std::uint32_t> unfinished_;  // slots of peers that used up their turn
    Now now_ = net::read_clock();
    Instant resume_at_ = never;  // while accepting is paused
    Instant cut_at_ = never;     // while draining
    StopSignal::State obeyed_ = StopSignal::State::running;
    bool arrivals_ = false;
    bool mail_ = false;
    std::array<epoll_event, events_per_wait> events_;
    std::array<char, receive_bytes> buffer_;
};

std::error_code EpollLoop::open() {
    epoll_.reset(::epoll_create1(EPOLL_CLOEXEC));
    const bool ready = epoll_ &&
                       watch(EPOLL_CTL_ADD, host_.stop.descriptor(StopSignal::State::running),
                             EPOLLIN | EPOLLET, stop_tag) &&
                       watch(EPOLL_CTL_ADD, host_.stop.descriptor(StopSignal::State::draining),
                             EPOLLIN | EPOLLET, stop_tag) &&
                       watch(EPOLL_CTL_ADD, mailbox_->fd(), EPOLLIN, mail_tag);
    if (!ready) return {errno, std::generic_category()};
    watch_listeners(EPOLL_CTL_ADD);
    return {};
}

void EpollLoop::run() {
    while (!is_done()) {
        const std::size_t count = wait_for_events();
        obey_stop();
        for (std::size_t i = 0; i < count; ++i) take(events_[i]);
        if (std::exchange(mail_, false)) deliver_mail();
        go_on_with_unfinished();
        expire_deadlines();
        if (now_.instant >= resume_at_) resume_accepting();
        if (std::exchange(arrivals_, false)) accept_connections();
    }
}

bool EpollLoop::is_done() const noexcept {
    return obeyed_ != StopSignal::State::running && peers_.size() == 0 &&
           std::ranges::all_of(listeners_, [](const auto& each) { return each.fd() < 0; });
}

bool EpollLoop::watch(int operation, int fd, std::uint32_t events, std::uint64_t about) {
    epoll_event event{.events = events, .data = {.u64 = about}};
    return ::epoll_ctl(epoll_.get(), operation, fd, &event) == 0;
}

int EpollLoop::wait_time() const noexcept {
    if (arrivals_ || !unfinished_.empty()) return 0;
    return net::wait_milliseconds(std::min({deadlines_.next(), resume_at_, cut_at_}), now_.instant);
}

std::size_t EpollLoop::wait_for_events() {
    const int count = ::epoll_wait(epoll_.get(), events_.data(), events_per_wait, wait_time());
    now_ = net::read_clock();
    return static_cast<std::size_t>(std::max(count, 0));
}

void EpollLoop::take(const epoll_event& event) {
    switch (event.data.u64) {
        case stop_tag: return;  // its state is looked at in each turn
        case mail_tag: mail_ = true; return;
        case listener_tag: arrivals_ = true; return;
        default: break;
    }
    constexpr std::uint32_t error = EPOLLERR | EPOLLHUP;
    // Closed by the stop, a moment ago? Its slot has not been used again: that comes after all events.
    Peer& peer = *static_cast<Peer*>(event.data.ptr);
    if (!peer.connection) return;
    if (event.events & (EPOLLIN | EPOLLRDHUP | error)) peer.readable = true;
    if (event.events & (EPOLLRDHUP | error)) peer.ended = true;
    if (event.events & (EPOLLOUT | error)) peer.writable = true;
    if (event.events & error) peer.broken = true;
    drive(peer);
}

// Level-triggered, so that what a turn leaves in the queue is announced again. EPOLLEXCLUSIVE:
// where several loops share a queue (a unix socket's siblings), a connection wakes one of them, not
// all.
void EpollLoop::watch_listeners(int operation) {
    for (const auto& listener : listeners_)
        if (listener.fd() >= 0)
            watch(operation, listener.fd(), EPOLLIN | EPOLLEXCLUSIVE, listener_tag);
}

void EpollLoop::accept_connections() {
    for (auto& listener : listeners_) {
        auto kind = Accepted::Kind::connection;
        for (unsigned i = 0; i < accepts_per_turn && is_worth_another(kind); ++i)
            kind = accept_connection(listener);
        // What waits in a queue when its listener closes is reset by the kernel: all of it is
        // accepted first.
        if (kind == Accepted::Kind::none && obeyed_ != StopSignal::State::running) listener.close();
    }
}

Accepted::Kind EpollLoop::accept_connection(net::Listener& listener) {
    Accepted accepted{Accepted::Kind::exhausted};
    const bool entered = gate_.enter();
    if (entered) accepted = net::accept_connection(listener.fd());
    if (accepted.kind == Accepted::Kind::connection) {
        admit(accepted);
        return Accepted::Kind::connection;
    }
    if (entered) gate_.leave();
    if (accepted.kind == Accepted::Kind::exhausted) pause_accepting();
    if (accepted.kind == Accepted::Kind::failed) listener.close();
    return accepted.kind;
}

void EpollLoop::pause_accepting() {
    if (resume_at_ == never) watch_listeners(EPOLL_CTL_DEL);
    resume_at_ = now_.instant + Gate::pause;
}

void EpollLoop::resume_accepting() {
    resume_at_ = never;
    watch_listeners(EPOLL_CTL_ADD);
    arrivals_ = true;
}

void EpollLoop::admit(Accepted& accepted) {
    Peer& peer = peers_.add();
    peer.socket = std::move(accepted.socket);
    peer.address = accepted.peer;
    peer.mailbox = &mailbox_;
    // The first request often comes along with the connection: looked for before epoll is asked to.
    peer.readable = peer.writable = true;
    peer.connection = host_.connect(workspace_, peer, now_);
    if (obeyed_ != StopSignal::State::running) peer.connection->retire(now_);
    drive(peer);
}

void EpollLoop::drive(Peer& peer) {
    http::Connection& connection = *peer.connection;
    for (unsigned transfers = 0; transfers < transfers_per_turn;) {
        switch (connection.step()) {
            case Step::drain: finish_sending(peer); [[fallthrough]];
            case Step::receive:
                if (!peer.readable) return rest(peer);
                receive(peer, buffer_, now_);
                ++transfers;
                break;
            case Step::handle:
                connection.respond(host_.handler.handle(connection.take_request()), now_);
                break;
            case Step::wait:
                if (!peer.broken) return rest(peer);
                connection.fail(http::Outcome::peer_gone, now_);
                break;
            case Step::transmit:
                if (!peer.writable) return rest(peer);
                transmit(peer, now_);
                ++transfers;
                break;
            case Step::close: return close(peer);
        }
    }
    if (!peer.unfinished) unfinished_.push_back(peer.slot);
    peer.unfinished = true;
    rest(peer);
}

/// Before the loop turns elsewhere: whatever happens to this peer next must bring it back.
void EpollLoop::rest(Peer& peer) {
    peer.connection->settle();
    deadlines_.promise(peer.slot, peer.connection->deadline());
    if (peer.watched && (peer.writable || peer.watched_for_space)) return;
    const std::uint32_t space = peer.writable ? 0U : static_cast<std::uint32_t>(EPOLLOUT);
    const int operation = peer.watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    peer.watched = true;
    peer.watched_for_space = space != 0;
    if (watch(operation, peer.socket.get(), EPOLLIN | EPOLLRDHUP | EPOLLET | space,
              reinterpret_cast<std::uint64_t>(&peer)))
        return;
    // Out of kernel memory, or of watches (fs.epoll.max_user_watches): it can't be served.
    peer.connection->fail(http::Outcome::peer_gone, now_);
    close(peer);
}

void EpollLoop::close(Peer& peer) {
    peers_.remove(peer);  // closing the socket takes it out of epoll
    gate_.leave();
    if (resume_at_ != never) resume_accepting();
}

void EpollLoop::deliver_mail() {
    for (Mailbox::Letter& letter : mailbox_->collect()) {
        Peer* const peer = peers_.find(letter.ticket);
        if (!peer) continue;
        if (letter.answer)
            peer->connection->respond(std::move(*letter.answer), now_);
        else
            peer->connection->wake(now_);
        drive(*peer);
    }
}

void EpollLoop::go_on_with_unfinished() {
    for (const std::uint32_t slot : std::exchange(unfinished_, {})) {
        Peer* const peer = peers_.at(slot);
        if (!peer || !peer->unfinished) continue;
        peer->unfinished = false;
        drive(*peer);
    }
}

void EpollLoop::expire_deadlines() {
    while (const auto slot = deadlines_.take_due(now_.instant)) {
        Peer* const peer = peers_.at(*slot);
        if (!peer) continue;
        peer->connection->expire(now_);
        drive(*peer);
    }
}

void EpollLoop::obey_stop() {
    const auto state = host_.stop.state();
    if (state == StopSignal::State::running) return;
    if (std::exchange(obeyed_, state) == StopSignal::State::running) drain();
    if (state == StopSignal::State::now || now_.instant >= cut_at_) cut();
}

void EpollLoop::drain() {
    arrivals_ = true;
    cut_at_ = now_.instant + host_.options.stop_timeout;
    peers_.each([this](Peer& peer) {
        // A request that has arrived is taken before its connection hears of the stop.
        if (peer.connection->step() == Step::receive) receive(peer, buffer_, now_);
        peer.connection->retire(now_);
        drive(peer);
    });
}

void EpollLoop::cut() {
    for (auto& listener : listeners_) listener.close();
    peers_.each([this](Peer& peer) {
        peer.connection->fail(http::Outcome::stopped, now_);
        close(peer);
    });
}

}  // namespace

std::error_code run_epoll_loop(Host& host, Gate& gate, std::span<net::Listener> listeners) {
    const net::SigpipeBlocked sigpipe_blocked;
    try {
        const auto loop = std::make_unique<EpollLoop>(host, gate, listeners);
        if (const auto error = loop->open()) return error;
        loop->run();
        return {};
    } catch (const std::system_error& error) {
        return error.code();
    }
}

std::error_code run_epoll_edge(Host& host) {
    Gate gate{host.options.connections_max};
    return run_epoll_loop(host, gate, host.listeners);
}

}  // namespace weir::engines
