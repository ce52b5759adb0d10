#pragma once

#include <cstddef>
#include <string_view>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::http {

/// Another protocol behind the answer to a request that has asked for it (RFC 9110 7.8; RFC 8441 in
/// HTTP/2): bytes go both ways, until one side ends. No other request follows in HTTP/1.1. What the
/// tunnel sends comes from pull(), as of every Source. Give it to Response::upgrade().
///
/// The thread that drives the connection makes all calls, one at a time. No call may block. pull() is
/// called soon after take(), end_input(), retire() and Waker::wake(), and at due(); but not while much
/// of what it gave waits for the kernel. The connection counts no idle time: the tunnel notices by
/// itself, through due(), that its peer has gone. Timeouts::transmit cuts a peer that reads too slowly.
class Tunnel : public Source {
   public:
    /// False: it takes nothing for now, and the peer must wait. Asked after each other call.
    virtual bool takes() const noexcept = 0;
    /// The next bytes of the peer, borrowed for the call; only while takes(). Returns how many it took,
    /// at least one. The others come again. Throws nothing but std::bad_alloc.
    virtual std::size_t take(std::string_view bytes) = 0;
    /// The peer sends no more. No take() follows.
    virtual void end_input() noexcept = 0;
    /// The server stops: the tunnel is to end soon.
    virtual void retire() noexcept = 0;
    /// The memory that it holds for its peer, in bytes: it counts towards what all connections may
    /// hold.
    virtual std::size_t bytes() const noexcept { return 0; }

    Tunnel* tunnel() noexcept final { return this; }
};

/// Whether the peer asks to change to that protocol, and may do so: an Upgrade of HTTP/1.1 without
/// content, or an extended CONNECT of HTTP/2, which handlers see as a GET with the same fields.
bool can_upgrade(const Request& request, std::string_view protocol) noexcept;

}  // namespace weir::http
