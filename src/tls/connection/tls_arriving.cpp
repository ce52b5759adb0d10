// TlsConnection: from the first byte to the end of the handshake.
#include "tls/connection/tls_connection.h"

#include <algorithm>
#include <utility>

#include "base/troubles.h"

namespace weir::tls {
namespace {

/// A request line begins with a method, a TLS record with its type, 20 to 23 (RFC 8446 5.1).
constexpr bool is_http(char first) noexcept { return first >= 'A' && first <= 'Z'; }
constexpr std::string_view plain_refusal_status = "HTTP/1.1 400 Bad Request\r\n";
constexpr std::string_view plain_refusal =
    "Content-Type: text/plain\r\n"
    "Content-Length: 91\r\n"
    "Connection: close\r\n"
    "\r\n"
    "This port speaks HTTPS, and the request came in plain HTTP. Use https:// in place of http.\n";

}  // namespace

/// While a client waits for its handshake, the engine does not read from it.
bool TlsConnection::arrive(Now now) {
    if (input_.empty()) return false;
    if (is_http(input_.front())) {
        refuse_plain(now);
        return false;
    }
    HandshakeLimiter& limiter = buffers().limiter;
    permit_ = limiter.enter(now.instant, factories_.handshakes_max);
    if (!permit_) {
        const bool is_full = limiter.is_full(factories_.handshakes_max);
        if (is_full && !std::exchange(was_held_up_, true)) troubles().note(Trouble::handshakes);
        deadline_ = std::min(
            give_up_, now.instant + (is_full ? HandshakeLimiter::pause : HandshakeLimiter::turn));
        return false;
    }
    deadline_ = give_up_;
    session_ = factories_.session();
    phase_ = Phase::handshake;
    return true;
}

/// The first message waits until the socket is connected, and other connections of the thread use
/// the buffers meanwhile.
void TlsConnection::begin_as_client(Now now) {
    session_ = factories_.session();
    phase_ = Phase::handshake;
    wants_room_ = true;
    advance(now);
    keep_output();
}

bool TlsConnection::shake_hands(Now now) {
    if (batch_.is_sealed || (input_.empty() && !std::exchange(wants_room_, false))) return false;
    begin_batch();
    const Session::Status status = session_->shake_hands(input_, cipher_);
    batch_.unsent = cipher_.bytes();
    switch (status) {
        case Session::Status::going_on: open(now); return true;
        case Session::Status::wants_input: return false;
        case Session::Status::wants_room: wants_room_ = true; return false;
        case Session::Status::ended:
        case Session::Status::failed: break_off(now); return false;
    }
    return false;
}

void TlsConnection::open(Now now) {
    if (session_->protocol() == challenge_protocol) {
        say_close();
        return begin_close(now, true);
    }
    inner_origin_ = std::make_shared<SecureOrigin>(origin_, session_->security());
    inner_ = factories_.protocol(session_->protocol(), workspace_, *inner_origin_, now);
    permit_ = {};
    phase_ = Phase::open;
    if (is_retired_) inner_->retire(now);
}

/// Sends an HTTP response to a client that speaks plain HTTP.
void TlsConnection::refuse_plain(Now now) noexcept {
    begin_batch();
    cipher_.append(plain_refusal_status);
    if (const auto* const date = workspace_.date_line(now.unix_seconds))
        cipher_.append({date->data(), date->size()});
    cipher_.append(plain_refusal);
    batch_.unsent = cipher_.bytes();
    batch_.ends = true;
    begin_close(now, true);
}

}  // namespace weir::tls
