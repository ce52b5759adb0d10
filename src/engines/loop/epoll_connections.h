#pragma once

#include <sys/epoll.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <system_error>

#include "engines/loop/loop_connections.h"
#include "net/waiting/epoll.h"

namespace weir::engines {

/// The connections of a loop on epoll(7). This class watches the descriptors of every such loop:
/// the stop signal, the completions, the listeners. The engine chooses the events of a peer's
/// socket, and whether they are level-triggered or edge-triggered.
class EpollConnections : public LoopConnections {
   public:
    EpollConnections(Host& host, ConnectionLimit& limit, ConnectionSource source)
        : LoopConnections{host, limit, source}, host_{host} {}

    std::error_code open();

    /// Waits for events, at most until the loop is due.
    std::span<const epoll_event> wait() { return epoll_.wait(time_to_wait()); }

    template <typename Engine>
    void begin_turn(Engine& engine) {
        LoopConnections::begin_turn(engine);
        if (is_stopping()) [[unlikely]]
            watch_listeners();
    }
    /// Drives each peer whose socket is announced. Of thousands of peers, each is cold in the
    /// cache: while the loop drives one, the processor fetches the next ones.
    template <typename Engine>
    void take(std::span<const epoll_event> events, Engine& engine) {
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (i + 2 < events.size()) __builtin_prefetch(events[i + 2].data.ptr);
            if (i + 1 < events.size() && is_of_peer(events[i + 1]))
                __builtin_prefetch(static_cast<Peer*>(events[i + 1].data.ptr)->connection.get());
            if (Peer* const peer = peer_of(events[i])) engine.drive(*peer);
        }
    }
    template <typename Engine>
    void end_turn(Engine& engine) {
        LoopConnections::end_turn(engine);
        watch_listeners();
    }

    /// The peer of the event, with its hints set. Null if the event is not about a peer (it is
    /// noted here), or about a peer that the stop has closed in this turn.
    Peer* peer_of(const epoll_event& event) noexcept {
        if (!is_of_peer(event)) [[unlikely]] {
            note(event.data.u64);
            return nullptr;
        }
        Peer& peer = *static_cast<Peer*>(event.data.ptr);
        if (!peer.connection) return nullptr;
        peer.note(event.events);
        return &peer;
    }

    /// `events`: EPOLL flags. Calls epoll_ctl(2), unless the socket is watched for them already.
    /// False if that failed: the connection has failed with it, and the caller closes it.
    bool watch(Peer& peer, std::uint32_t events) {
        if (peer.watched_for == static_cast<std::uint16_t>(events)) return true;
        if (watch_socket(peer, events)) return true;
        peer.connection->fail(http::Outcome::stopped, now());
        return false;
    }
    template <typename Engine>
    void watch(Peer& peer, std::uint32_t events, Engine& engine) {
        if (!watch(peer, events)) close(peer, engine);
    }
    /// Watches a descriptor of the engine, level-triggered. Its events have engine_tag.
    static constexpr std::uint64_t engine_tag = 3;
    bool watch(int fd) noexcept { return epoll_.add(fd, EPOLLIN, engine_tag); }

   private:
    // The subject of an event: one of these, or the address of a peer, which is none of them.
    enum Tag : std::uint64_t {
        stop_tag,
        completion_tag,
        listener_tag,
        pulse_tag = engine_tag + 1,
        tags
    };

    static bool is_of_peer(const epoll_event& event) noexcept { return event.data.u64 >= tags; }
    void note(std::uint64_t tag) noexcept;

    bool watch_socket(Peer& peer, std::uint32_t events) noexcept;

    /// The listeners are not watched while the acceptor is paused, nor when the server stops.
    void watch_listeners() noexcept {
        const bool wanted = !acceptor().is_paused() && !is_stopping();
        if (wanted != listeners_are_watched_) [[unlikely]]
            watch_listeners(wanted);
    }
    void watch_listeners(bool wanted) noexcept;
    bool add_listeners() noexcept;
    void remove_listeners() noexcept;

    Host& host_;
    net::Epoll epoll_{host_.options.busy_poll};
    bool listeners_are_watched_ = false;
};

}  // namespace weir::engines
