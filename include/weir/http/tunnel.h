#pragma once

#include <cstddef>
#include <string_view>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::http {

/// Another protocol after the response to an upgrade request (RFC 9110 7.8; RFC 8441 in HTTP/2):
/// bytes go both ways, until one side ends. In HTTP/1.1, no other request follows. A tunnel sends
/// through pull(), as every Source does. Give it to Response::upgrade().
///
/// The thread that drives the connection makes all calls, one at a time. No call may block. pull()
/// is called soon after take(), end_input(), retire() and Waker::wake(), and at due(), but not
/// while many earlier bytes of pull() wait for the kernel. The connection measures no idle time: a
/// tunnel must notice by itself, through due(), that its peer has gone. Timeouts::transmit cuts a
/// peer that reads too slowly.
class Tunnel : public Source {
   public:
    /// False if the tunnel takes no bytes for a while, so that the peer must wait. Called after
    /// each other call.
    virtual bool takes() const noexcept = 0;
    /// The next bytes of the peer, borrowed for the call. Called only while takes(). Returns the
    /// number of bytes that the tunnel took, at least one; the next call has the others again.
    /// Throws nothing but std::bad_alloc.
    virtual std::size_t take(std::string_view bytes) = 0;
    /// The peer sends no more. No take() follows.
    virtual void end_input() noexcept = 0;
    /// The server stops: the tunnel is to end soon.
    void retire() noexcept override = 0;

    Tunnel* tunnel() noexcept final { return this; }
};

/// True if the peer asks to change to that protocol, and may do so: by an Upgrade of HTTP/1.1
/// without content, or by an extended CONNECT of HTTP/2, which handlers see as a GET with the same
/// fields.
bool can_upgrade(const Request& request, std::string_view protocol) noexcept;

}  // namespace weir::http
