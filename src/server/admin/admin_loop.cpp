#include "server/admin/admin_loop.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <new>
#include <utility>

#include "base/last_error.h"
#include "engines/loop/turn.h"
#include "engines/peer/transfer.h"
#include "net/accept.h"
#include "net/clock.h"
#include "net/io.h"
#include "server/entrance/protocols.h"

namespace weir::server {
namespace {

using namespace std::chrono_literals;
using http::Step;
using net::Accepted;

constexpr std::uint64_t memory_bytes_max = std::uint64_t{8} << 20u;
constexpr std::chrono::milliseconds accept_pause{100};

// What an event is about: one of these, or a session.
enum Tag : std::uint64_t { listener_tag, timer_tag, leaving_tag, tags };

http::Timeouts short_timeouts() {
    http::Timeouts timeouts;
    timeouts.head = timeouts.transmit = 5s;
    return timeouts;
}

}  // namespace

struct AdminLoop::Session {
    engines::Peer peer;
    std::uint64_t number = 0;  // the later it began, the higher
    net::UniqueFd spare;       // while there is no connection

    bool is_open() const noexcept { return peer.connection != nullptr; }
    bool keep_spare(int like) noexcept {
        if (!spare) spare.reset(::fcntl(like, F_DUPFD_CLOEXEC, 0));
        return static_cast<bool>(spare);
    }
};

AdminLoop::AdminLoop(net::Listener& listener, const net::EventFd& leaving, http::Handler& handler)
    : listener_{listener},
      leaving_{leaving},
      handler_{handler},
      timeouts_{short_timeouts()},
      memory_{memory_bytes_max} {
    workspace_.memory = &memory_;
}

AdminLoop::~AdminLoop() { leave(); }

std::error_code AdminLoop::open() try {
    if (const auto error = epoll_.open()) return error;
    if (!epoll_.add(listener_.fd(), EPOLLIN, listener_tag) ||
        !epoll_.add(timer_.fd(), EPOLLIN, timer_tag) ||
        !epoll_.add(leaving_.fd(), EPOLLIN, leaving_tag))
        return last_error();
    for (std::size_t i = 0; i < connections_max; ++i) {
        sessions_.push_back(std::make_unique<Session>());
        if (!sessions_.back()->keep_spare(timer_.fd())) return last_error();
    }
    return {};
} catch (const std::bad_alloc&) {
    return std::make_error_code(std::errc::not_enough_memory);
}

void AdminLoop::turn() {
    const net::SigpipeBlocked sigpipe_blocked;
    const Now now = net::read_clock();
    bool has_arrivals = false, is_leaving = false;
    for (const epoll_event& event : epoll_.wait(0)) {
        if (event.data.u64 == listener_tag) has_arrivals = true;
        if (event.data.u64 == leaving_tag) is_leaving = true;
        if (event.data.u64 < tags) continue;
        Session& session = *static_cast<Session*>(event.data.ptr);
        if (!session.is_open()) continue;
        session.peer.note(event.events);
        drive(session, now);
    }
    if (timer_.clear()) expire(now);
    if (is_leaving) return leave_address();
    if (has_arrivals) accept(now);
    set_timer(now);
}

/// One at a time: where more wait, the listener is announced again.
void AdminLoop::accept(Now now) {
    Session& session = oldest();
    if (session.is_open()) end(session);
    session.spare.reset();
    Accepted accepted = net::accept_connection(listener_.fd());
    if (accepted.kind == Accepted::Kind::connection) return begin(session, accepted, now);
    session.keep_spare(timer_.fd());
    const bool is_for_later =
        accepted.kind == Accepted::Kind::exhausted || accepted.kind == Accepted::Kind::failed;
    if (is_for_later) pause();
}

/// One that is free, or that has been open for longest.
AdminLoop::Session& AdminLoop::oldest() noexcept {
    return **std::ranges::min_element(sessions_, {}, [](const auto& session) {
        return session->is_open() ? session->number : 0;
    });
}

void AdminLoop::begin(Session& session, Accepted& accepted, Now now) try {
    session.number = ++begun_;
    session.peer = engines::Peer{};
    session.peer.adopt(accepted, nobody_);
    session.peer.connection = speak_plain(false, workspace_, session.peer, now);
    const int socket = session.peer.socket.get();
    const auto about = reinterpret_cast<std::uint64_t>(&session);
    if (!epoll_.add(socket, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, about)) return end(session);
    drive(session, now);
} catch (const std::bad_alloc&) {
    end(session);
}

/// Until the socket allows no more, or its turn is over.
void AdminLoop::drive(Session& session, Now now) {
    engines::Peer& peer = session.peer;
    engines::Turn turn;
    while (turn.goes_on()) {
        switch (peer.connection->step()) {
            case Step::drain: engines::finish_sending(peer); [[fallthrough]];
            case Step::receive: turn.count(engines::receive(peer, buffer_, now)); break;
            case Step::handle: engines::handle(peer, handler_, now); break;
            case Step::wait: turn.count(engines::fail_if_broken(peer, now)); break;
            case Step::transmit: turn.count(engines::transmit(peer, now)); break;
            case Step::exchange: turn.count(engines::exchange(peer, buffer_, now)); break;
            case Step::close: return end(session);
        }
    }
    const bool ran_out = peer.connection->settle(now);
    peer.unfinished = turn.is_used_up() || ran_out;
}

void AdminLoop::end(Session& session) noexcept {
    if (session.is_open() && session.peer.connection->step() != Step::close)
        session.peer.connection->fail(http::Outcome::stopped, net::read_clock());
    session.peer.close();
    session.keep_spare(timer_.fd());
}

/// Also goes on with those whose turn was over.
void AdminLoop::expire(Now now) {
    for (const auto& session : sessions_) {
        if (!session->is_open()) continue;
        engines::expire(*session->peer.connection, session->peer.socket.get(), now);
        drive(*session, now);
    }
    if (is_paused_ && epoll_.add(listener_.fd(), EPOLLIN, listener_tag)) is_paused_ = false;
}

void AdminLoop::leave_address() noexcept {
    epoll_.remove(listener_.fd());
    epoll_.remove(leaving_.fd());
    is_paused_ = false;
    for (const auto& session : sessions_)
        if (session->is_open()) end(*session);
}

void AdminLoop::pause() noexcept {
    epoll_.remove(listener_.fd());
    is_paused_ = true;
}

void AdminLoop::set_timer(Now now) const noexcept {
    Instant next = is_paused_ ? now.instant + accept_pause : never;
    for (const auto& session : sessions_) {
        if (!session->is_open()) continue;
        next = std::min(
            next, session->peer.unfinished ? now.instant : session->peer.connection->deadline());
    }
    if (next != never) timer_.set(std::max(next - now.instant, 1ms));
}

void AdminLoop::leave() noexcept {
    for (const auto& session : sessions_) {
        if (session->is_open()) {
            session->peer.connection->settle(net::read_clock());
            session->peer.close();
        }
        session->spare.reset();
    }
}

}  // namespace weir::server
