#include "web/websocket/socket_tunnel.h"

#include <algorithm>
#include <coroutine>
#include <exception>
#include <utility>

namespace weir::web::detail {

http::Source::Pulled SocketTunnel::pull(std::span<char> into) {
    run();
    const Instant now = runner().now();
    if (!look_after_peer(now)) return Failed{};
    if (const std::size_t size = give(into)) return Ready{size};
    const bool has_returned = !runner().frame();
    const bool is_over = (is_closed() && has_returned) || is_overdue(now);
    if (is_over) return End{};
    return NotReady{};
}

Instant SocketTunnel::due() const noexcept { return std::min(runner().due(), Socket::due()); }

void SocketTunnel::run() {
    if (!runner().has_begun()) runner().adopt(user()->start(WebSocket{*this}).release());
    runner().run();
    if (runner().is_done()) conclude();
}

/// An exception of the coroutine goes on to the log; the peer still gets its close frame.
void SocketTunnel::conclude() {
    using Coroutine = std::coroutine_handle<Promise<void>>;
    const std::exception_ptr failure =
        Coroutine::from_address(runner().frame().address()).promise().failure;
    runner().end();
    release_message();
    close(failure ? CloseCode::internal_error : CloseCode::normal, {});
    if (failure) std::rethrow_exception(failure);
}

void SocketTunnel::done(http::Outcome) noexcept {
    end();
    runner().end(user());
}

}  // namespace weir::web::detail
