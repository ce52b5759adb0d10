// reactor: one thread does all I/O, in edge-triggered epoll(7); a pool of threads runs handlers.
//
// Who waits:          one thread, in epoll_wait(2), for all sockets at once, as in `epoll-edge`.
// Where handlers run: on one of N threads (--workers). They take requests from a bounded queue
//                     (--queue) and give back replies, and an eventfd(2) wakes the loop. Several
//                     requests of one connection may be in the pool at once.
// What is shared:     those two queues, each behind a mutex. A connection belongs to the loop. A
//                     thread of the pool gets one request of it, with a copy of the bytes.
// An idle connection: as in `epoll-edge`.
// Calls per request:  recv, send, a futex to wake a thread, a write to wake the loop, an epoll_wait
//                     and a read there; under load, one of each of these for many requests.
//
// Where it breaks: a full queue. A request that finds no place in it waits in a line, and past its
// deadline its response is a 503. In the line, connections take turns: one with many requests does
// not keep out the others. If a peer vanishes while its handlers run, its slot is free once all
// have returned.
//
// When it is right: many connections, handlers that block or compute.

#include <cerrno>
#include <cstdint>
#include <new>
#include <system_error>
#include <utility>
#include <variant>

#include "base/troubles.h"
#include "engines/entry_points.h"
#include "engines/loop/epoll_connections.h"
#include "engines/loop/loops.h"
#include "engines/threads/handler_pool.h"

namespace weir::engines {
namespace {

using http::Step;

/// The connection got this reply already, in hand_over().
bool is_plain_later(const http::Reply& reply) noexcept {
    const auto* later = std::get_if<http::Later>(&reply);
    return later != nullptr && !later->continuation;
}

class Reactor : public LoopHooks {
   public:
    Reactor(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : connections_{host, limit, source}, pool_{host, connections_.peers()} {}

    std::error_code open() {
        if (const auto error = connections_.open()) return error;
        if (!connections_.watch(pool_.fd())) return {errno, std::generic_category()};
        return pool_.open();
    }

    void run() {
        while (!connections_.are_done()) {
            const auto events = connections_.wait();
            connections_.begin_turn(*this);
            for (const epoll_event& event : events) take(event);
            connections_.end_turn(*this);
        }
    }

    void on_accepted(Peer& peer) { drive(peer); }

    void drive(Peer& peer) {
        const Now now = connections_.now();
        Turn turn;
        while (turn.goes_on()) {
            switch (peer.connection->step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive: turn.count(receive(peer, connections_.buffer(), now)); break;
                case Step::handle: hand_over(peer, now); break;
                case Step::wait: turn.count(fail_if_broken(peer, now)); break;
                case Step::transmit: turn.count(transmit(peer, now)); break;
                case Step::exchange: turn.count(exchange(peer, connections_.buffer(), now)); break;
                case Step::close: return connections_.close(peer, *this);
            }
        }
        connections_.rest(peer, turn, *this);
        watch(peer);
    }

    /// Handlers of the peer may still run, and ask it for its address.
    bool keeps(const Peer& peer) const noexcept { return pool_.has_jobs_of(peer); }
    void abandon() noexcept { pool_.abandon(); }

   private:
    void take(const epoll_event& event) {
        if (event.data.u64 == EpollConnections::engine_tag) return take_replies();
        if (Peer* const peer = connections_.peer_of(event)) drive(*peer);
    }

    /// The request gets a copy of its bytes; its deadline runs from here.
    void hand_over(Peer& peer, Now now) {
        const http::Request& taken = peer.connection->take_request();
        const http::RequestId id = taken.id();
        try {
            auto request = taken.share();
            peer.connection->respond(id, http::Later{}, now);
            pool_.submit(peer, std::move(request));
        } catch (const std::bad_alloc&) {
            troubles().note(Trouble::memory);
            peer.connection->respond(id, http::Response{http::Status::service_unavailable}, now);
        }
    }

    void take_replies() {
        for (auto& [job, reply] : pool_.collect()) {
            Peer& peer = *job.peer;
            const bool was_last = pool_.let_go(peer);
            if (peer.connection) {
                if (!is_plain_later(reply))
                    peer.connection->respond(job.request->id(), std::move(reply),
                                             connections_.now());
                drive(peer);
            } else if (was_last) {
                connections_.free(peer);
            }
        }
    }

    /// As in `epoll-edge`: all changes, once and for good.
    void watch(Peer& peer) {
        const std::uint32_t for_bytes = EPOLLIN | EPOLLRDHUP;
        const std::uint32_t for_space = peer.writable ? peer.watched_for & EPOLLOUT : EPOLLOUT;
        connections_.watch(peer, EPOLLET | for_bytes | for_space, *this);
    }

    EpollConnections connections_;
    HandlerPool pool_;  // last: its threads end before the members that they use
};

}  // namespace

std::error_code run_reactor(Host& host) { return run_loop(host, loop_of<Reactor>); }

}  // namespace weir::engines
