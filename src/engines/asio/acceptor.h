#pragma once

#include <asio/basic_socket_acceptor.hpp>
#include <asio/generic/stream_protocol.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <system_error>
#include <utility>

#include "engines/peer/connection_limit.h"
#include "net/accept.h"
#include "net/address.h"
#include "net/listener.h"

namespace weir::engines {

/// TCP and unix sockets alike: what asio::ip::tcp and asio::local::stream_protocol are to one family.
using AsioProtocol = asio::generic::stream_protocol;
using AsioSocket = AsioProtocol::socket;

/// Where the connections of an io_context come in: what loop/acceptor.h is to the other loops. One
/// async_accept is under way at each listener. A connection that is accepted while the limit is
/// reached (it is counted over all contexts) is held here until there is room; meanwhile nothing
/// more is accepted at that listener.
class AsioAcceptor {
   public:
    using Admit = std::function<void(AsioSocket socket, const net::PeerAddress& address)>;
    /// There is something for accept() to do, or it has come to its end.
    using Changed = std::function<void()>;

    /// So many connections wait, and there is no room for them.
    using Refused = std::function<void(std::size_t waiting)>;

    AsioAcceptor(asio::io_context& context, ConnectionLimit& limit,
                 std::span<net::Listener> listeners, Admit admit, Changed changed, Refused refused)
        : limit_{limit},
          retry_{context},
          admit_{std::move(admit)},
          changed_{std::move(changed)},
          refused_{std::move(refused)} {
        for (auto& listener : listeners) entrances_.emplace_back(context, listener);
    }

    std::error_code open();
    /// Accepts at each listener, as far as there is room.
    void accept();
    /// The same, whatever became of what was under way.
    void accept_again();
    /// A connection of this context has closed: there is room.
    void connection_closed(const net::PeerAddress& address);
    /// The server stops. What waits in the queues by now is still accepted; then they are closed.
    void drain();
    /// What still waits is reset.
    void close();
    bool is_closed() const noexcept;

   private:
    using Acceptor = asio::basic_socket_acceptor<AsioProtocol>;
    struct Held {
        AsioSocket socket;
        net::PeerAddress address;
    };
    struct Entrance {
        Entrance(asio::io_context& context, net::Listener& of_host)
            : listener{of_host}, acceptor{context} {}

        net::Listener& listener;
        Acceptor acceptor;
        AsioProtocol::endpoint peer;  // of the async_accept that is under way
        std::deque<Held> held;        // accepted, and without room
        std::size_t queued = 0;       // that may still come in, while the server stops
        bool is_accepting = false;
        unsigned round = 0;  // how often it was asked to accept
    };

    void accept_at(Entrance& entrance);
    void accept_queued(Entrance& entrance);
    void accepted(Entrance& entrance, std::error_code error, AsioSocket socket);
    /// False while there is no room for one that is held.
    bool admit_held(Entrance& entrance);
    static void hold(Entrance& entrance, AsioSocket socket, const AsioProtocol::endpoint& peer);
    void pause();
    static void close(Entrance& entrance);

    ConnectionLimit& limit_;
    asio::steady_timer retry_;
    const Admit admit_;
    const Changed changed_;
    const Refused refused_;
    std::deque<Entrance> entrances_;
    bool is_draining_ = false;
    bool is_cut_ = false;
    bool is_paused_ = false;  // for want of descriptors, or of room
};

}  // namespace weir::engines
