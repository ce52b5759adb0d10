#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "engines/peer/completion_queue.h"
#include "net/accept.h"
#include "net/address.h"
#include "net/io.h"
#include "net/unique_fd.h"
#include "weir/http/connection.h"
#include "weir/http/origin.h"

namespace weir::engines {

/// One connection, mostly an accepted one: its socket, its protocol, and hints about its readiness. Everything
/// that an idle connection costs an engine, in one cache line.
struct Peer final : http::Origin {
    net::UniqueFd socket;
    net::PeerAddress address;
    std::unique_ptr<http::Connection> connection;  // null: closed, or the slot is free
    /// The queue of the thread that owns the peer. The first call of postbox() makes it.
    std::shared_ptr<CompletionQueue>* completions = nullptr;
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;  // how often the slot was used: an old ticket finds no peer
    /// The EPOLL flags for which the loop's poller watches the socket; 0: not watched yet.
    std::uint16_t watched_for = 0;

    // Hints: a system call that proves one wrong corrects it.
    bool readable = false;  // receiving may yield bytes
    bool writable = false;  // the socket may take bytes
    bool ended = false;     // the end, or an error, follows the bytes in the socket
    bool broken = false;    // the connection was reset: nothing can be sent any more

    bool has_sent : 1 = false;          // something was received from it
    bool sending_finished : 1 = false;  // its sending side is shut down
    bool unfinished : 1 = false;        // its turn is over, and it waits in line for the next
    bool outbound : 1 = false;          // the server has opened it, and may still connect

    /// For a new connection. Its first bytes have often arrived with it, so both hints are set.
    void adopt(net::Accepted& accepted, std::shared_ptr<CompletionQueue>& of_owner) noexcept {
        socket = std::move(accepted.socket);
        address = accepted.peer;
        completions = &of_owner;
        readable = writable = true;
    }

    /// For a connection that the server opens. Neither hint is set: the socket may still connect,
    /// and the poller reports when it has. Throws std::bad_alloc.
    void adopt(http::Outbound& opened, std::shared_ptr<CompletionQueue>& of_owner, Now now) {
        socket.reset(opened.release_socket());
        completions = &of_owner;
        outbound = true;
        connection = opened.connect(*this, now);
    }

    /// At `close`, or after take_ownership().
    void close() noexcept {
        if (connection && connection->resets()) net::reset_on_close(socket.get());
        connection.reset();
        socket.reset();
    }

    /// Takes the flags that poll(2) or epoll(7) report for the socket; both have the same values.
    void note(std::uint32_t events) noexcept {
        if (events == POLLIN) [[likely]] {
            readable = true;
            return;
        }
        constexpr std::uint32_t error = POLLERR | POLLHUP;
        if (events & (POLLIN | POLLRDHUP | error)) readable = true;
        if (events & (POLLRDHUP | error)) ended = true;
        if (events & (POLLOUT | error)) writable = true;
        if (events & error) broken = true;
    }

    /// The loop has tried to receive, and the peer has sent nothing and is still there.
    bool is_silent() const noexcept { return connection && !has_sent && !readable; }

    void append_address(std::string& out) const override { address.append_to(out); }
    std::shared_ptr<http::Postbox> postbox() override {
        if (!*completions) *completions = std::make_shared<CompletionQueue>();
        return *completions;
    }
    std::uint64_t number() const noexcept override {
        return std::uint64_t{generation} << 32 | slot;
    }
    std::uint8_t listener_kind() const noexcept override { return address.listener_kind(); }
};
static_assert(sizeof(Peer) == 64);

}  // namespace weir::engines
