#include "tls/connection/tls_connection.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "base/troubles.h"

namespace weir::tls {

using http::Outcome;
using http::Step;

namespace {

constexpr std::chrono::milliseconds farewell_time{1'000};
constexpr std::chrono::milliseconds first_record_grace{1'000};  // once the server stops

}  // namespace

TlsConnection::TlsConnection(const TlsFactories& factories, http::Workspace& workspace,
                             http::Origin& origin, Now now)
    : factories_{factories}, workspace_{workspace}, origin_{origin}, share_{workspace.memory} {
    if (factories.handshake_timeout.count() != 0)
        give_up_ = now.instant + factories.handshake_timeout;
    deadline_ = give_up_;
    if (factories.is_client) begin_as_client(now);
}

// ---- queries and reports of the engine ----

http::CloseImpact TlsConnection::do_close_impact() const noexcept {
    return phase_ == Phase::open ? inner_->close_impact() : http::CloseImpact::unfinished;
}

/// The remaining input waits for the reply.
const http::Request& TlsConnection::do_take_request() {
    const http::Request& request = inner_->take_request();
    show_step();
    return request;
}

bool TlsConnection::do_awaits(http::RequestId id) const noexcept { return inner_->awaits(id); }

http::Transmission TlsConnection::do_transmit() {
    batch_.is_sealed = true;
    http::Transmission what;
    what.parts[0] = batch_.unsent;
    what.ends = batch_.ends;
    return what;
}

void TlsConnection::do_receive(std::string_view bytes, Now now) {
    if (!input_.empty()) {  // the earlier input comes first
        kept_input_ = std::string{input_}.append(bytes);
        bytes = kept_input_;
    }
    input_ = bytes;
    advance(now);
}

void TlsConnection::do_receive_end(Now now) {
    if (phase_ != Phase::open) return close();
    if (inner_->step() == Step::drain) {
        inner_->receive_end(now);
    } else if (!input_ended_) {  // without close_notify, an attacker may have cut the input
        inner_->fail(Outcome::peer_gone, now);
    }
    advance(now);
}

void TlsConnection::do_respond(http::RequestId id, http::Reply&& reply, Now now) {
    inner_->respond(id, std::move(reply), now);
    advance(now);
}

void TlsConnection::do_wake(http::RequestId id, Now now) {
    inner_->wake(id, now);
    advance(now);
}

void TlsConnection::do_transmitted(std::uint64_t size, Now now) {
    batch_.unsent.remove_prefix(size);
    batch_.sent += static_cast<std::uint32_t>(size);
    const auto* const first = batch_.records.begin();
    const auto* const whole = std::find_if(first, first + batch_.count, [this](const Record& one) {
        return one.ends_at > batch_.sent;
    });
    std::uint64_t plain = 0;
    for (const auto* one = first; one != whole; ++one) plain += one->plain;
    std::copy(whole, first + batch_.count, batch_.records.begin());
    batch_.count -= static_cast<std::uint8_t>(whole - first);
    ahead_ -= plain;
    if (batch_.unsent.empty()) {
        batch_ = {};
        kept_output_ = {};
        if (!replies_.empty()) begin_batch();
    }
    if (plain != 0) inner_->transmitted(plain, now);
    advance(now);
}

/// In Phase::arrival, the deadline may also be the time to try the limiter again.
void TlsConnection::do_expire(Now now, std::uint64_t queued) {
    if (now.instant < deadline_) return;
    if (phase_ == Phase::open) {
        inner_->expire(now, queued);
    } else if (!is_before_open() || now.instant >= give_up_) {
        if (is_before_open()) troubles().note(Trouble::slow_peers);
        return close();
    }
    advance(now);
}

void TlsConnection::do_turn_away(Now now) {
    if (phase_ != Phase::open) return close();  // without keys, no message to the peer is possible
    inner_->turn_away(now);
    advance(now);
}

void TlsConnection::do_evict(Now now) {
    if (phase_ != Phase::open) return close();
    inner_->evict(now);
    advance(now);
}

void TlsConnection::do_retire(Now now) {
    is_retired_ = true;
    if (is_before_open()) {
        give_up_ = std::min(give_up_, now.instant + first_record_grace);
        deadline_ = std::min(deadline_, give_up_);
    }
    if (phase_ != Phase::open) return;
    inner_->retire(now);
    advance(now);
}

void TlsConnection::do_fail(Outcome why, Now now) {
    if (inner_) inner_->fail(why, now);
    resets_ = inner_ && inner_->resets();
    close();
}

void TlsConnection::do_take_ownership(Now now) {
    // A protocol with several requests may read on after take_request().
    if (phase_ == Phase::open && !input_.empty() && http::reads(inner_->step())) advance(now);
    if (phase_ == Phase::open && inner_->take_ownership(now)) advance(now);
    keep_output();
    keep_input();
    take_memory();
    if (session_ && batch_.unsent.empty() && input_.empty()) session_->release();
}

// ---- from step to step ----

/// Does all work that needs no engine.
void TlsConnection::advance(Now now) {
    while (go_on(now)) {}
    if (phase_ == Phase::open) encrypt(now);
    if (phase_ == Phase::open && inner_->step() == Step::close) end(now);
    if (phase_ == Phase::open) deadline_ = inner_->deadline();
    if (phase_ == Phase::closing && batch_.unsent.empty())
        phase_ = lingers_ ? Phase::drain : Phase::closed;
    show_step();
}

/// Does one piece of work. True if there may be more.
bool TlsConnection::go_on(Now now) {
    switch (phase_) {
        case Phase::arrival: return arrive(now);
        case Phase::handshake: return shake_hands(now);
        case Phase::open: return decrypt(now);
        case Phase::drain: input_ = {}; return false;
        case Phase::closing:
        case Phase::closed: return false;
    }
    return false;
}

void TlsConnection::show_step() noexcept { step_ = next_step(); }

Step TlsConnection::next_step() const noexcept {
    const bool has_output = !batch_.unsent.empty();
    switch (phase_) {
        case Phase::arrival: return input_.empty() ? Step::receive : Step::wait;
        case Phase::handshake: return has_output ? Step::transmit : Step::receive;
        case Phase::open: break;
        case Phase::closing: return Step::transmit;
        case Phase::drain: return Step::drain;
        case Phase::closed: return Step::close;
    }
    const Step inner = inner_->step();
    if (!has_output || inner == Step::handle) return inner;
    return inner == Step::receive || inner == Step::exchange ? Step::exchange : Step::transmit;
}

// ---- the end, tls_arriving.cpp has the beginning ----

void TlsConnection::say_close() noexcept {
    session_->close(cipher_);
    batch_.unsent = cipher_.bytes();
    batch_.ends = said_close_ = true;
}

/// The inner protocol has closed. If the peer has got all data, it also gets close_notify.
void TlsConnection::end(Now now) noexcept {
    resets_ = inner_->resets();
    if (resets_ || said_close_ || batch_.is_sealed || batch_.count != 0) return close();
    begin_batch();
    say_close();
    begin_close(now, false);
}

/// The peer broke the rules of TLS, or the library failed. Sends the alert, if there is one.
void TlsConnection::break_off(Now now) {
    if (!inner_ && session_ && factories_.refused) factories_.refused(*session_);
    if (inner_) inner_->fail(Outcome::peer_gone, now);
    if (batch_.is_sealed || batch_.count != 0) return close();
    batch_.ends = true;
    begin_close(now, !batch_.unsent.empty());
}

void TlsConnection::begin_close(Now now, bool lingers) noexcept {
    input_ = {};
    permit_ = {};
    lingers_ = lingers;
    phase_ = Phase::closing;
    deadline_ = now.instant + farewell_time;
}

void TlsConnection::close() noexcept {
    input_ = {};
    permit_ = {};
    phase_ = Phase::closed;
    deadline_ = never;
    show_step();
}

}  // namespace weir::tls
