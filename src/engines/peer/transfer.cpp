#include "engines/peer/transfer.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "net/io.h"

namespace weir::engines {
namespace {

using net::Moved;

bool is_source_error(int error) noexcept {
    switch (error) {
        case EIO:
        case EBADF:
        case EINVAL:
        case EISDIR:
        case ESTALE:
        case EOVERFLOW: return true;
        default: return false;
    }
}

Moved send_parts(Peer& peer, const http::Transmission& what) noexcept {
    std::size_t count = 1;
    while (count < what.parts.size() && !what.parts[count].empty()) ++count;
    const Moved sent =
        net::send(peer.socket.get(), std::span{what.parts.data(), count}, what.more_follows());
    if (sent.kind != Moved::Kind::bytes) return sent;
    // A send that takes less than everything has filled the socket (epoll(7), the ninth question).
    if (sent.size < what.part_bytes())
        peer.writable = false;
    else if (what.ends)
        finish_sending(peer);
    return sent;
}

Moved send_stretch(int socket, const http::FileRange& file) noexcept {
    return net::send_file(socket, file.fd, file.offset, std::min(file.size, file_bytes_per_call));
}

/// For all results but `would_block`, which the connection need not know.
void tell_sent(http::Connection& connection, const Moved& sent, bool from_file, Now now) {
    if (sent.kind == Moved::Kind::bytes) return connection.transmitted(sent.size, now);
    // If the file has ended, it is shorter than it was: nothing can take the place of the promised
    // bytes.
    const bool source_failed =
        sent.kind == Moved::Kind::ended || (from_file && is_source_error(sent.error));
    connection.fail(source_failed ? http::Outcome::source_failed : http::Outcome::peer_gone, now);
}

}  // namespace

void receive_at_once(Peer& peer, std::span<char> buffer, Now now) {
    const Moved got = net::receive(peer.socket.get(), buffer);
    peer.readable = false;
    switch (got.kind) {
        case Moved::Kind::bytes:
            // A short read has emptied the socket. If the end follows, it is still to be read.
            peer.readable = got.size == buffer.size() || peer.ended;
            peer.has_sent = true;
            peer.connection->receive({buffer.data(), got.size}, now);
            break;
        case Moved::Kind::would_block: break;
        case Moved::Kind::ended: peer.connection->receive_end(now); break;
        case Moved::Kind::failed: peer.connection->fail(http::Outcome::peer_gone, now); break;
    }
}

bool transmit(Peer& peer, Now now) {
    if (!peer.writable) return false;
    const http::Transmission what = peer.connection->transmit();
    const bool from_file = what.part_bytes() == 0;
    const Moved sent =
        from_file ? send_stretch(peer.socket.get(), what.file) : send_parts(peer, what);
    if (sent.kind == Moved::Kind::would_block)
        peer.writable = false;
    else
        tell_sent(*peer.connection, sent, from_file, now);
    return true;
}

void transmit_file(http::Connection& connection, int socket, Now now) {
    const Moved sent = send_stretch(socket, connection.transmit().file);
    if (sent.kind != Moved::Kind::would_block) tell_sent(connection, sent, true, now);
}

bool exchange(Peer& peer, std::span<char> buffer, Now now) {
    const bool sent = transmit(peer, now);
    if (!reads(peer.connection->step())) return sent;
    return receive(peer, buffer, now) || sent;
}

bool fail_if_broken(Peer& peer, Now now) {
    if (peer.broken) peer.connection->fail(http::Outcome::peer_gone, now);
    return peer.broken;
}

bool fail_if_reset(Peer& peer, Now now) {
    pollfd socket{peer.socket.get(), 0, 0};  // the kernel always reports POLLERR and POLLHUP
    if (::poll(&socket, 1, 0) > 0) peer.note(static_cast<std::uint16_t>(socket.revents));
    return fail_if_broken(peer, now);
}

void retire(Peer& peer, std::span<char> buffer, Now now) {
    peer.readable = true;  // the last report of poll(2) or epoll(7) may be old
    if (reads(peer.connection->step())) receive(peer, buffer, now);
    peer.connection->retire(now);
}

void expire(Peer& peer, std::span<char> buffer, Now now) {
    const bool is_due = now.instant >= peer.connection->deadline();
    if (is_due && reads(peer.connection->step()) && has_sent_bytes(peer))
        receive_at_once(peer, buffer, now);
    expire(*peer.connection, peer.socket.get(), now);
}

void handle(Peer& peer, http::Handler& handler, Now now) {
    const http::Request& request = peer.connection->take_request();
    const http::RequestId id = request.id();
    peer.connection->respond(id, handler.handle(request), now);
}

bool has_sent_bytes(const Peer& peer) noexcept {
    char byte;
    return ::recv(peer.socket.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void finish_sending(Peer& peer) noexcept {
    if (!peer.sending_finished) ::shutdown(peer.socket.get(), SHUT_WR);
    peer.sending_finished = true;
}

}  // namespace weir::engines
