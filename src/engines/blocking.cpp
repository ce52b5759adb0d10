// blocking: accept a connection, serve it to its end, accept the next.
//
// Who waits:          one thread, for one socket at a time.
// Where handlers run: on that thread. While a handler runs, no other connection is served.
// What is shared:     nothing. There is no lock, and hardly any state.
// An idle connection: holds up all others. They wait in the listener's queue, where they take no
//                     memory of the server. If others wait, a connection that was served for a
//                     fifth of a second ends after the request in hand, and a peer that is silent
//                     or slow is cut soon after (see PeerTimeSlice). Otherwise one browser could keep
//                     the server to itself.
// Calls per request:  poll, recv, send. The sockets are non-blocking and poll(2) does the blocking,
//                     because a plain recv(2) can't return for a deadline or a stop.
//
// Where it breaks: one slow peer keeps all others waiting, for about a second; a hundred keep them
// waiting for two minutes. A download that keeps pace holds the server to its end. Throughput is
// 1 / (duration of one request), whatever the number of clients. A second core is of no use.
//
// When it is right: to be read. A whole server stands here in the order of events. Every later
// engine keeps these names and changes one thing. `drive` is the one that matters: it asks the
// connection for the next step, and takes it.

#include <memory>

#include "engines/entry_points.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/peer.h"
#include "engines/peer/transfer.h"
#include "engines/threads/blocking_acceptor.h"
#include "engines/threads/blocking_service.h"
#include "net/accept.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Accepted;
using Service = BlockingService<64 * 1024>;

class Blocking {
   public:
    explicit Blocking(Host& host) : host_{host}, service_{host, {.listeners = host.listeners}} {}

    std::error_code open() const { return limit_.open(); }

    void run() {
        while (auto accepted = acceptor_.next()) admit(*accepted);
    }

   private:
    void admit(Accepted& accepted) {
        if (Peer* const peer = service_.begin(accepted)) drive(*peer, service_);
        limit_.release(accepted.peer);
    }

    void drive(Peer& peer, Service& service) {
        for (;;) {
            switch (peer.connection->step()) {
                case Step::drain: finish_sending(peer); [[fallthrough]];
                case Step::receive: service.wait.receive(peer); break;
                case Step::handle: handle(peer, host_.handler, service.wait.read_clock()); break;
                case Step::wait: service.wait.await_answer(peer); break;
                case Step::transmit: service.wait.transmit(peer); break;
                case Step::exchange: service.wait.exchange(peer); break;
                case Step::close: return service.end();
            }
        }
    }

    Host& host_;
    ConnectionLimit limit_{1};
    BlockingAcceptor acceptor_{host_, limit_};
    Service service_;
};

}  // namespace

std::error_code run_blocking(Host& host) {
    const auto engine = std::make_unique<Blocking>(host);
    if (const auto error = engine->open()) return error;
    if (host.opened) host.opened();
    engine->run();
    return {};
}

}  // namespace weir::engines
