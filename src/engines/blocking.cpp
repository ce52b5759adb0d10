// blocking: accept a connection, serve it to its end, accept the next.
//
// Who waits:          one thread, for one socket at a time.
// Where handlers run: on that thread; while one runs, nobody else is served.
// What is shared:     nothing. There is no lock, and hardly a state.
// An idle connection: holds up all others. They wait in the listener's queue, where they cost no
//                     memory here. So a connection that falls silent between requests gives way
//                     when somebody waits (see BlockingWait), or one browser could keep a server to
//                     itself.
// Calls per request:  poll, recv, send. The sockets are non-blocking and poll(2) does the blocking,
//                     because a plain recv(2) can't be told to come back for a deadline or a stop.
//
// Where it breaks: one slow peer is everybody's problem. A sender of one byte a second holds the
// server until its head timer runs out; throughput is 1 / (duration of one request) whatever the
// number of clients; a second core is of no use.
//
// When it is right: to be read. A whole server stands here in the order in which it happens; each
// engine that follows keeps these names and changes one thing. `drive` is the one that matters: it
// asks the connection for the next step, and takes it.

#include <poll.h>

#include <array>
#include <vector>

#include "engines/entry_points.h"
#include "engines/peer/peer.h"
#include "engines/peer/transfer.h"
#include "engines/threads/blocking_wait.h"
#include "net/accept.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using net::StopSignal;

constexpr std::size_t receive_bytes = 64 * 1024;

class Blocking {
   public:
    explicit Blocking(Host& host)
        : host_{host},
          workspace_{host.limits, host.timeouts, host.observer},
          wait_{host, host.listeners} {}

    void run() {
        while (host_.stop.state() == StopSignal::State::running) {
            wait_for_connections();
            for (auto& listener : host_.listeners) accept_connection(listener);
        }
        for (auto& listener : host_.listeners) accept_queued(listener);
    }

   private:
    void wait_for_connections() {
        std::vector<pollfd> watched;
        watched.push_back({host_.stop.descriptor(StopSignal::State::running), POLLIN, 0});
        for (const auto& listener : host_.listeners) watched.push_back({listener.fd(), POLLIN, 0});
        ::poll(watched.data(), watched.size(), -1);
    }

    Accepted::Kind accept_connection(net::Listener& listener) {
        Accepted accepted = net::accept_connection(listener.fd());
        if (accepted.kind == Accepted::Kind::connection) admit(accepted);
        if (accepted.kind == Accepted::Kind::exhausted) wait_.pause();
        if (accepted.kind == Accepted::Kind::failed) listener.close();
        return accepted.kind;
    }

    /// Those that reached us before the stop are served: the kernel would reset them.
    void accept_queued(net::Listener& listener) {
        for (std::size_t left = listener.queued(); left > 0 && wait_.is_draining();) {
            const auto kind = accept_connection(listener);
            if (kind == Accepted::Kind::none || kind == Accepted::Kind::failed) break;
            if (kind == Accepted::Kind::connection) --left;
        }
        listener.close();
    }

    void admit(Accepted& accepted) {
        Peer peer;
        peer.generation = ++generation_;
        peer.adopt(accepted, wait_.completions());
        wait_.read_clock();
        peer.connection = host_.connect(workspace_, peer, wait_.now());
        drive(peer);
    }

    void drive(Peer& peer) {
        http::Connection& connection = *peer.connection;
        for (;;) {
            wait_.read_clock();
            switch (connection.step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive:
                    if (!receive(peer, buffer_, wait_.now()))
                        wait_.wait_for(peer, POLLIN);
                    else
                        wait_.look_around(peer, buffer_);
                    break;
                case Step::handle: handle(peer, host_.handler, wait_.now()); break;
                case Step::wait: wait_.wait_for(peer, 0); break;
                case Step::transmit:
                    if (!transmit(peer, wait_.now()))
                        wait_.wait_for(peer, POLLOUT);
                    else
                        wait_.look_around(peer, buffer_);
                    break;
                case Step::exchange:
                    if (!exchange(peer, buffer_, wait_.now()))
                        wait_.wait_for(peer, POLLIN | POLLOUT);
                    else
                        wait_.look_around(peer, buffer_);
                    break;
                case Step::close: return;
            }
        }
    }

    Host& host_;
    http::Workspace workspace_;
    BlockingWait wait_;
    std::array<char, receive_bytes> buffer_;
    std::uint32_t generation_ = 0;
};

}  // namespace

std::error_code run_blocking(Host& host) {
    const net::SigpipeBlocked sigpipe_blocked;
    const auto engine = std::make_unique<Blocking>(host);
    engine->run();
    return {};
}

}  // namespace weir::engines
