#include "weir/web/websocket.h"

#include <stdexcept>
#include <utility>

#include "web/calling/conversation.h"
#include "web/routing/route.h"
#include "web/stream/outbox.h"
#include "web/websocket/close_payload.h"
#include "web/websocket/handshake.h"
#include "web/websocket/permessage_deflate.h"
#include "web/websocket/socket.h"
#include "web/websocket/socket_tunnel.h"

namespace weir::web {
namespace {

void check(CloseCode code) {
    if (!ws::may_be_sent(code)) throw std::invalid_argument{"this close code may not be sent"};
}

}  // namespace

namespace detail {

Receive::Receive(Socket& socket) noexcept : socket_{socket} { socket_.release_message(); }
bool Receive::is_there() const noexcept { return socket_.has_message() || socket_.is_closing(); }
std::optional<Message> Receive::await_resume() const noexcept { return socket_.take_message(); }

bool SendBase::begin(Runner&) noexcept {
    if (socket_.is_closing()) return false;
    socket_.put(*this);
    return true;
}
bool SendBase::end() noexcept {
    socket_.withdraw(*this);
    return true;
}

Response websocket_of(const Call& call, std::shared_ptr<SocketUser> user) {
    const http::Request& request = call.request();
    const WebSocketOptions& options = user->options;
    if (auto refusal = ws::refusal_of(call, options)) return std::move(*refusal);
    const std::uint32_t protocol = ws::chosen_protocol(request, options);
    const auto deflate = options.compression ? ws::deflate_terms(request) : ws::DeflateTerms{};
    Response response;
    if (request.major_version() == 1)
        response.add("Sec-WebSocket-Accept",
                     ws::accept_of(request.field("Sec-WebSocket-Key").value_or("")));
    if (protocol != 0) response.add("Sec-WebSocket-Protocol", options.protocols[protocol - 1]);
    if (deflate.is_agreed()) response.add("Sec-WebSocket-Extensions", deflate.field);
    const auto& conversation = call.conversation();
    const auto waker = conversation ? conversation->waker() : request.waker();
    response.upgrade("websocket",
                     std::make_unique<SocketTunnel>(
                         waker, &call.state().route->common->jobs, std::move(user),
                         SocketTerms{.protocol = protocol, .window_bits = deflate.window_bits}));
    return response;
}

}  // namespace detail

WebSocket::WebSocket(detail::Socket& socket) noexcept : socket_{&socket} { socket.share(); }
WebSocket::WebSocket(WebSocket&& other) noexcept : socket_{std::exchange(other.socket_, nullptr)} {}
WebSocket::~WebSocket() {
    if (socket_ != nullptr) socket_->release();
}

void WebSocket::close(CloseCode code, std::string_view reason) {
    check(code);
    socket_->close(code, reason);
}
CloseCode WebSocket::close_code() const noexcept { return socket_->close_code(); }
std::string_view WebSocket::close_reason() const noexcept { return socket_->close_reason(); }
std::string_view WebSocket::protocol() const noexcept { return socket_->protocol(); }
WebSocketSender WebSocket::sender() { return WebSocketSender{socket_->outbox()}; }

WebSocketSender::WebSocketSender(std::shared_ptr<detail::Outbox> outbox) noexcept
    : outbox_{std::move(outbox)} {}
bool WebSocketSender::send(std::shared_ptr<const std::string> message, MessageKind kind) const {
    return outbox_->put(std::move(message), kind);
}
void WebSocketSender::close(CloseCode code, std::string_view reason) const {
    check(code);
    outbox_->ask_to_close(code, reason);
}

}  // namespace weir::web
