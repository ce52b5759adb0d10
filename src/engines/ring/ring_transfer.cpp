#include "engines/ring/ring_transfer.h"

#include <poll.h>

#include <cerrno>
#include <utility>

#include "engines/peer/transfer.h"
#include "net/blocking.h"
#include "net/io.h"

namespace weir::engines {
namespace {

using http::Step;
using net::Moved;

constexpr std::uint16_t buffer_group = 0;
constexpr std::uint16_t buffer_count = 256;
constexpr std::uint32_t buffer_bytes = 4 * 1024;
constexpr std::size_t plain_buffer_bytes = 64 * 1024;
// What a peer may send ahead before it is no longer listened to. What was on its way comes on top:
// no more than all buffers together.
constexpr std::size_t parked_bytes_max = 16 * 1024;

/// Of a receive that ended without having failed.
bool may_go_on(int error) noexcept {
    return error == ENOBUFS || error == ECANCELED || error == EAGAIN || error == EINTR;
}

}  // namespace

std::error_code RingTransfer::open() noexcept {
    if (ring_.features().receive_many)
        has_buffers_ = !buffers_.open(ring_, buffer_group, buffer_count, buffer_bytes);
    return {};
}

void RingTransfer::meet(const Peer& peer) {
    if (peer.slot >= pending_.size()) pending_.resize(peer.slot + 1);
    of(peer) = {};
}

void RingTransfer::completed(Peer& peer, const net::Ring::Completion& completion, Now now) {
    switch (operation_of(completion.about)) {
        case Operation::receive: return received(peer, completion, now);
        case Operation::send:
        case Operation::space: return sent(peer, completion, now);
        // Canceling may fail to find what it looks for, at a moment when the kernel has it
        // elsewhere: what is not over by now is canceled again, where that is still wanted.
        case Operation::cancel_receive: of(peer).canceling_receive = false; return;
        case Operation::cancel_send: of(peer).canceling_send = false; return;
        default: return;
    }
}

// ---- receiving ----

bool RingTransfer::receive(Peer& peer, Now now) {
    Pending& pending = of(peer);
    if (pending.fresh) {
        pending.fresh = false;
        take_ready(peer, now);
        return true;
    }
    if (pending.extra && !pending.extra->parked.empty()) {
        inbox_ = std::exchange(pending.extra->parked, {});
        peer.connection->receive(inbox_, now);
        return true;
    }
    if (!peer.readable) return false;
    peer.readable = false;
    if (peer.broken)
        peer.connection->fail(http::Outcome::peer_gone, now);
    else
        peer.connection->receive_end(now);
    return true;
}

void RingTransfer::listen(Peer& peer) {
    Pending& pending = of(peer);
    if (!pending.sending)
        pending.extra.reset();  // else the kernel may have yet to read the message
    if (pending.receiving || peer.ended || peer.broken) return;
    set_blocking(peer, true);
    pending.receiving = true;
    if (has_buffers_)
        ring_.receive_many(peer.socket.get(), buffers_.group(), about(Operation::receive, peer));
    else
        ring_.poll(peer.socket.get(), POLLIN, false, about(Operation::receive, peer));
}

void RingTransfer::received(Peer& peer, const net::Ring::Completion& completion, Now now) {
    if (completion.is_last()) of(peer).receiving = false;
    if (completion.result < 0) {
        if (may_go_on(-completion.result)) return;
        peer.broken = peer.readable = true;
    } else if (!has_buffers_) {
        take_ready(peer, now);
    } else if (completion.result > 0) {
        const auto size = static_cast<std::size_t>(completion.result);
        take(peer, buffers_.bytes(*completion.buffer(), size), now);
    } else {
        peer.ended = peer.readable = true;
    }
}

/// Of a connection that is new, the first request is often there: one that lives for that alone is
/// not worth asking the kernel to go on receiving. And without a ring of buffers, the kernel only
/// says that something has come.
void RingTransfer::take_ready(Peer& peer, Now now) {
    buffer_.resize(plain_buffer_bytes);
    const Moved got = net::receive(peer.socket.get(), buffer_);
    switch (got.kind) {
        case Moved::Kind::bytes: return take(peer, {buffer_.data(), got.size}, now);
        case Moved::Kind::would_block: return;
        case Moved::Kind::ended: peer.ended = peer.readable = true; return;
        case Moved::Kind::failed: peer.broken = peer.readable = true; return;
    }
}

void RingTransfer::take(Peer& peer, std::string_view bytes, Now now) {
    if (reads(peer.connection->step()))
        peer.connection->receive(bytes, now);
    else if (peer.connection->step() != Step::close)
        park(peer, bytes);
}

// Copied, so that the buffer goes back at once: peers that send ahead can't starve the others.
void RingTransfer::park(Peer& peer, std::string_view bytes) {
    std::string& parked = extra(peer).parked;
    parked += bytes;
    if (parked.size() > parked_bytes_max) stop_receiving(peer);
}

void RingTransfer::stop_receiving(Peer& peer) {
    Pending& pending = of(peer);
    if (!pending.receiving || pending.canceling_receive) return;
    pending.canceling_receive = true;
    ring_.cancel(about(Operation::receive, peer), about(Operation::cancel_receive, peer));
}

void RingTransfer::release(const net::Ring::Completion& completion) noexcept {
    if (const auto buffer = completion.buffer()) buffers_.give_back(*buffer);
}

// ---- sending ----

// Of a file, the loop sends a piece after the other by sendfile(2): for 1 MB in pieces of 256 KB (2 MB now),
// that took 375 us; reading it and having the ring send it 415, splicing it through a pipe in the
// ring, which is done by threads of the kernel, 425 (medians, loopback, kernel 6.18).
void RingTransfer::transmit(Peer& peer, bool at_once, Now now) {
    if (at_once) {
        // No flag tells sendfile(2) not to wait.
        if (peer.connection->transmit().part_bytes() == 0) set_blocking(peer, false);
        peer.writable = true;
        engines::transmit(peer, now);
        if (peer.writable) return;
    }
    peer.connection->settle();  // from here on, its bytes stay where they are
    const http::Transmission what = peer.connection->transmit();
    of(peer).sending = true;
    of(peer).for_space = what.part_bytes() == 0;
    if (of(peer).for_space)
        ring_.poll(peer.socket.get(), POLLOUT, false, about(Operation::space, peer));
    else
        send(peer, what);
}

/// Not with MSG_WAITALL: what a slow peer takes now and then must be known, as its deadline moves.
void RingTransfer::send(Peer& peer, const http::Transmission& what) {
    const int flags = MSG_NOSIGNAL | (what.more_follows() ? MSG_MORE : 0);
    set_blocking(peer, true);
    if (what.parts[1].empty())
        ring_.send(peer.socket.get(), what.parts[0], flags, about(Operation::send, peer));
    else
        ring_.send(peer.socket.get(), message_of(peer, what), flags, about(Operation::send, peer));
}

const msghdr& RingTransfer::message_of(const Peer& peer, const http::Transmission& what) {
    Extra& memory = extra(peer);
    std::size_t count = 0;
    for (const auto part : what.parts)
        if (!part.empty()) memory.parts[count++] = {const_cast<char*>(part.data()), part.size()};
    memory.message = {};
    memory.message.msg_iov = memory.parts.data();
    memory.message.msg_iovlen = count;
    return memory.message;
}

void RingTransfer::sent(Peer& peer, const net::Ring::Completion& completion, Now now) {
    Pending& pending = of(peer);
    pending.sending = false;
    if (peer.connection->step() == Step::close) return;
    if (pending.for_space || completion.result == -EINTR || completion.result == -EAGAIN)
        return;  // tried again
    else if (completion.result > 0)
        peer.connection->transmitted(static_cast<std::uint64_t>(completion.result), now);
    else
        peer.connection->fail(http::Outcome::peer_gone, now);
}

void RingTransfer::stop_sending(Peer& peer) {
    Pending& pending = of(peer);
    if (!pending.sending || pending.canceling_send) return;
    pending.canceling_send = true;
    const auto what = pending.for_space ? Operation::space : Operation::send;
    ring_.cancel(about(what, peer), about(Operation::cancel_send, peer));
}

// ---- both ----

bool RingTransfer::withdraw(Peer& peer) {
    stop_receiving(peer);
    stop_sending(peer);
    const Pending& pending = of(peer);
    return !pending.receiving && !pending.sending && !pending.canceling_receive &&
           !pending.canceling_send;
}

RingTransfer::Extra& RingTransfer::extra(const Peer& peer) {
    if (!of(peer).extra) of(peer).extra = std::make_unique<Extra>();
    return *of(peer).extra;
}

void RingTransfer::set_blocking(const Peer& peer, bool blocking) noexcept {
    Pending& pending = of(peer);
    if (pending.socket_blocks == blocking) return;
    pending.socket_blocks = blocking;
    net::set_blocking(peer.socket.get(), blocking);
}

}  // namespace weir::engines
