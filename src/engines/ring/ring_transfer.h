#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/now.h"
#include "engines/peer/peer.h"
#include "engines/ring/ring_operation.h"
#include "net/buffer_ring.h"
#include "net/ring.h"

namespace weir::engines {

/// What transfer.h is where sockets tell that they are ready, for a ring, which tells what it has
/// done: receives for the peers of a loop whether they ask or not, and sends while the loop is
/// elsewhere. What is in the kernel's hands (a socket, bytes that a connection owns) must stay as it
/// is until the completion: see is_sending() and withdraw().
class RingTransfer {
   public:
    explicit RingTransfer(net::Ring& ring) noexcept : ring_{ring} {}

    std::error_code open() noexcept;

    /// `peer` was just accepted.
    void meet(const Peer& peer);

    /// At `receive` and `drain`: tells the connection what came while it was at something else.
    /// False where nothing did: then listen() has the kernel tell when something does.
    bool receive(Peer& peer, Now now);
    void listen(Peer& peer);

    /// At `transmit`: sends what the connection offers, as much as the socket takes `at_once`, and
    /// has the kernel send the rest when it can. (To have it send all costs more: a copy into memory
    /// that stays, and a completion.) Of a file, the kernel only tells when to go on.
    void transmit(Peer& peer, bool at_once, Now now);
    /// Until the completion, the bytes of its transmit() must stay: the connection is not to be failed or
    /// expired. stop_sending() makes that soon.
    bool is_sending(const Peer& peer) const noexcept { return pending_[peer.slot].sending; }
    void stop_sending(Peer& peer);

    /// Takes back what the kernel has in hand for a peer that leaves. False while it still has some.
    bool withdraw(Peer& peer);

    /// A completion of an operation that is about a peer. The connection borrows the bytes that came
    /// until release().
    void completed(Peer& peer, const net::Ring::Completion& completion, Now now);
    void release(const net::Ring::Completion& completion) noexcept;

   private:
    /// What few peers need, and none that is idle.
    struct Extra {
        std::string parked;  // came before the connection wanted it
        std::array<iovec, 3> parts;
        msghdr message;
    };
    /// What the kernel has in hand for a peer.
    struct Pending {
        bool fresh : 1 = true;  // nothing was asked for yet
        bool receiving : 1 = false;
        bool sending : 1 = false;    // or waiting until that may be tried
        bool for_space : 1 = false;  // that
        bool canceling_receive : 1 = false;
        bool canceling_send : 1 = false;
        bool socket_blocks : 1 = true;
        std::unique_ptr<Extra> extra;
    };

    void received(Peer& peer, const net::Ring::Completion& completion, Now now);
    void sent(Peer& peer, const net::Ring::Completion& completion, Now now);

    Pending& of(const Peer& peer) noexcept { return pending_[peer.slot]; }
    Extra& extra(const Peer& peer);
    void take_ready(Peer& peer, Now now);
    void take(Peer& peer, std::string_view bytes, Now now);
    void park(Peer& peer, std::string_view bytes);
    void stop_receiving(Peer& peer);
    void send(Peer& peer, const http::Transmission& what);
    const msghdr& message_of(const Peer& peer, const http::Transmission& what);
    void set_blocking(const Peer& peer, bool blocking) noexcept;

    net::Ring& ring_;
    net::BufferRing buffers_;
    bool has_buffers_ = false;
    std::vector<Pending> pending_;  // by slot
    std::string inbox_;             // what was parked, while the connection looks at it
    std::vector<char> buffer_;      // for what is received without the ring
};

}  // namespace weir::engines
