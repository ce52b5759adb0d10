#include "web/websocket/socket_tunnel.h"

#include <algorithm>
#include <utility>

namespace weir::web::detail {

SocketTunnel::SocketTunnel(const http::Waker& waker, AbandonedJobs* jobs,
                           std::shared_ptr<SocketUser> user,
                           std::shared_ptr<const WebSocketOptions> options,
                           std::string_view protocol)
    : user_{std::move(user)},
      socket_{std::make_shared<Socket>(waker, std::move(options), protocol)},
      runner_{waker, jobs} {}

http::Source::Pulled SocketTunnel::pull(std::span<char> into) {
    run();
    if (!socket_->look_after_peer()) return Failed{};
    if (const std::size_t size = socket_->give(into)) return Ready{size};
    const bool is_over = (socket_->is_closed() && is_concluded_) || socket_->is_overdue();
    if (is_over) return End{};
    return NotReady{};
}

Instant SocketTunnel::due() const noexcept { return std::min(runner_.due(), socket_->due()); }

void SocketTunnel::run() {
    if (!has_started_) start();
    runner_.run();
    if (runner_.is_done() && !is_concluded_) conclude();
}

void SocketTunnel::start() {
    has_started_ = true;
    frame_ = user_->start(WebSocket{socket_}).release();
    runner_.adopt(frame_, user_);
}

/// An exception of the coroutine goes on to the log; the peer still gets its close frame.
void SocketTunnel::conclude() {
    is_concluded_ = true;
    socket_->release_message();
    try {
        frame_.promise().take();
        socket_->close(CloseCode::normal, {});
    } catch (...) {
        socket_->close(CloseCode::internal_error, {});
        throw;
    }
}

void SocketTunnel::finish() noexcept {
    if (std::exchange(is_finished_, true)) return;
    socket_->end();
    runner_.end();
}

}  // namespace weir::web::detail
