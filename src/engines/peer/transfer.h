#pragma once

#include <cstdint>
#include <span>

#include "engines/peer/peer.h"
#include "net/io.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"

namespace weir::engines {

/// Reads once, whatever is known of the socket.
void receive_at_once(Peer& peer, std::span<char> buffer, Now now);

/// At `receive` and `drain`: reads once into `buffer` and tells the connection what came of it.
/// `peer.readable` says afterwards whether there may be more. False where the socket is known to have
/// nothing: then nothing was tried.
inline bool receive(Peer& peer, std::span<char> buffer, Now now) {
    if (!peer.readable) return false;
    receive_at_once(peer, buffer, now);
    return true;
}

/// At `transmit`: sends once of what the connection offers, and tells it how much was taken.
/// `peer.writable` says afterwards whether more may be. False where the socket is known to be full:
/// then nothing was tried.
bool transmit(Peer& peer, Now now);

/// The same for an engine that sends bytes in a way of its own: where transmit() offers nothing but a
/// file, sends once of that.
void transmit_file(http::Connection& connection, int socket, Now now);

/// At `exchange`: both, as far as the socket allows. False where it allows neither. Sending comes
/// first, so a peer that sends without a pause still gets its answers.
bool exchange(Peer& peer, std::span<char> buffer, Now now);

/// At `wait`: fails a connection whose peer has gone. False where it has not: then there is nothing
/// to be done.
bool fail_if_broken(Peer& peer, Now now);

/// The same for an engine whose poller tells nothing of a connection at `wait`: asks the kernel.
bool fail_if_reset(Peer& peer, Now now);

/// At `handle`: has the next request handled, here and now.
void handle(Peer& peer, http::Handler& handler, Now now);

/// The server stops: tells the connection, after a request that has reached the socket by now.
void retire(Peer& peer, std::span<char> buffer, Now now);

/// Bytes have arrived that nobody has received yet: a request may be among them.
bool has_sent_bytes(const Peer& peer) noexcept;

/// At `drain`, before receiving: the peer gets to see the end of the answer, while what it still
/// sends is taken.
void finish_sending(Peer& peer) noexcept;

/// Once the deadline has passed: tells the connection, and how much its peer has not taken. Does
/// nothing before that.
inline void expire(http::Connection& connection, int socket, Now now) {
    if (now.instant < connection.deadline()) return;
    const bool is_sending = http::sends(connection.step());
    connection.expire(now, is_sending ? net::queued_bytes(socket) : 0);
}

/// An answer or a wake-up that came from elsewhere.
void deliver(CompletionQueue::Completion& completion, Peer& peer, Now now);

/// How much of a file one call sends at most, so that a large file to a fast peer takes several
/// turns: some 0.3 ms on loopback. Less would cost more for each byte (docs/performance.md).
inline constexpr std::uint64_t file_bytes_per_call = 2 * 1024 * 1024;

}  // namespace weir::engines
