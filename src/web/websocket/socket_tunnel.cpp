#include "web/websocket/socket_tunnel.h"

#include <algorithm>
#include <utility>

namespace weir::web::detail {

SocketTunnel::SocketTunnel(const http::Waker& waker, AbandonedJobs* jobs,
                           std::shared_ptr<SocketUser> user, SocketTerms terms)
    : user_{std::move(user)}, ends_{std::make_shared<Ends>(waker, jobs, std::move(terms))} {}

http::Source::Pulled SocketTunnel::pull(std::span<char> into) {
    run();
    const Instant now = ends_->runner.now();
    if (!ends_->socket.look_after_peer(now)) return Failed{};
    if (const std::size_t size = ends_->socket.give(into)) return Ready{size};
    const bool is_over =
        (ends_->socket.is_closed() && is_concluded_) || ends_->socket.is_overdue(now);
    if (is_over) return End{};
    return NotReady{};
}

Instant SocketTunnel::due() const noexcept {
    return std::min(ends_->runner.due(), ends_->socket.due());
}

void SocketTunnel::run() {
    if (!has_started_) start();
    ends_->runner.run();
    if (ends_->runner.is_done() && !is_concluded_) conclude();
}

void SocketTunnel::start() {
    has_started_ = true;
    WebSocket socket{std::shared_ptr<Socket>{ends_, &ends_->socket}};
    ends_->frame = user_->start(std::move(socket)).release();
    ends_->runner.adopt(ends_->frame, std::move(user_));
}

/// An exception of the coroutine goes on to the log; the peer still gets its close frame.
void SocketTunnel::conclude() {
    is_concluded_ = true;
    ends_->socket.release_message();
    try {
        ends_->frame.promise().take();
        ends_->socket.close(CloseCode::normal, {});
    } catch (...) {
        ends_->socket.close(CloseCode::internal_error, {});
        throw;
    }
}

void SocketTunnel::finish() noexcept {
    if (std::exchange(is_finished_, true)) return;
    ends_->socket.end();
    ends_->runner.end();
}

}  // namespace weir::web::detail
