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

/// For TCP and unix sockets alike; asio::ip::tcp and asio::local::stream_protocol are for one
/// family each.
using AsioProtocol = asio::generic::stream_protocol;
using AsioSocket = AsioProtocol::socket;

/// Accepts the connections of an io_context, as loop/acceptor.h does for the other loops. One
/// async_accept is under way at each listener. The limit is counted over all contexts. So a
/// connection may be accepted while the limit is reached: it is held here until another one closes,
/// and meanwhile its listener accepts no more.
class AsioAcceptor {
   public:
    using Admit = std::function<void(AsioSocket socket, const net::PeerAddress& address)>;
    /// Called when accept() has something to do, or the acceptor has come to its end.
    using Changed = std::function<void()>;

    /// Called when so many connections wait and can't be accepted.
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
    /// Accepts at each listener, as far as the limit allows.
    void accept();
    /// The same, after operations that were under way may have been lost.
    void accept_again();
    /// A connection of this context has closed, so that another one can be accepted.
    void connection_closed(const net::PeerAddress& address);
    /// The server stops. Connections that are in the queues are still accepted; then the listeners
    /// are closed.
    void drain();
    /// Resets the connections that still wait.
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
        std::deque<Held> held;        // accepted, but past the limit
        std::size_t queued = 0;       // connections that may still come in, while the server stops
        bool is_accepting = false;
        unsigned round = 0;  // how many async_accepts were started
    };

    void accept_at(Entrance& entrance);
    void accept_queued(Entrance& entrance);
    void accepted(Entrance& entrance, std::error_code error, AsioSocket socket);
    /// False if a connection must still be held.
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
    bool is_paused_ = false;  // the limit is reached, or descriptors or memory are short
};

}  // namespace weir::engines
