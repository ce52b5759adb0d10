#pragma once

#include <cstdint>
#include <span>

#include "engines/peer/peer.h"
#include "net/io.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"

namespace weir::engines {

/// Reads once, whatever the hint says.
void receive_at_once(Peer& peer, std::span<char> buffer, Now now);

/// At `receive` and `drain`: reads once into `buffer`, and passes the result to the connection.
/// Afterwards `peer.readable` says whether there may be more. False if the socket is known to have
/// nothing: then nothing was tried.
inline bool receive(Peer& peer, std::span<char> buffer, Now now) {
    if (!peer.readable) return false;
    receive_at_once(peer, buffer, now);
    return true;
}

/// At `transmit`: sends once from the bytes that the connection offers, and tells the connection
/// how many were taken. Afterwards `peer.writable` says whether the socket may take more. False if
/// the socket is known to be full: then nothing was tried.
bool transmit(Peer& peer, Now now);

/// The same for an engine that sends bytes in a way of its own: if transmit() offers nothing but a
/// file, sends once from that file.
void transmit_file(http::Connection& connection, int socket, Now now);

/// At `exchange`: both, as far as the socket allows. False if it allows neither. Sending comes
/// first, so a peer that sends without a pause still gets its responses.
bool exchange(Peer& peer, std::span<char> buffer, Now now);

/// At `wait`: fails a connection whose peer has gone. False if the peer has not gone: then there is
/// nothing to be done.
bool fail_if_broken(Peer& peer, Now now);

/// The same for an engine whose poller reports nothing about a connection at `wait`: asks the
/// kernel, with poll(2).
bool fail_if_reset(Peer& peer, Now now);

/// At `handle`: runs the handler for the next request, on this thread.
void handle(Peer& peer, http::Handler& handler, Now now);

/// The server stops: calls retire() for the connection, after a request that has reached the socket
/// was received.
void retire(Peer& peer, std::span<char> buffer, Now now);

/// Bytes have arrived that were not received yet: a request may be among them.
bool has_sent_bytes(const Peer& peer) noexcept;

/// At `drain`, before receiving: shuts down the sending side. The peer sees the end of the
/// response, while the bytes that it still sends are received.
void finish_sending(Peer& peer) noexcept;

/// If the deadline has passed: tells the connection, and how many bytes its peer has not taken.
/// Otherwise does nothing.
inline void expire(http::Connection& connection, int socket, Now now) {
    if (now.instant < connection.deadline()) return;
    const bool is_sending = http::sends(connection.step());
    connection.expire(now, is_sending ? net::queued_bytes(socket) : 0);
}

/// The same for an engine that may be late: first receives once from the socket.
void expire(Peer& peer, std::span<char> buffer, Now now);

/// The maximum that one call sends of a file, in bytes, so that a large file to a fast peer takes
/// several turns: some 0.3 ms each on loopback. A smaller one would cost more for each byte
/// (docs/performance.md).
inline constexpr std::uint64_t file_bytes_per_call = 2 * 1024 * 1024;

}  // namespace weir::engines
