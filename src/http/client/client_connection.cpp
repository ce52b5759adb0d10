#include "http/client/client_connection.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace weir::http::client {
namespace {

using std::chrono::milliseconds;

Instant after(Now now, milliseconds timeout) noexcept {
    return timeout == timeout.zero() ? never : now.instant + timeout;
}

Failure failure_of(Outcome why) noexcept {
    switch (why) {
        case Outcome::timed_out: return Failure::timed_out;
        case Outcome::stopped: return Failure::stopped;
        case Outcome::out_of_memory: return Failure::out_of_memory;
        case Outcome::sent:
        case Outcome::peer_gone:
        case Outcome::source_failed: break;
    }
    return Failure::closed;
}

constexpr std::uint64_t not_looked = std::numeric_limits<std::uint64_t>::max();

}  // namespace

ClientConnection::ClientConnection(std::shared_ptr<Exchanges> exchanges, Origin& origin,
                                   const Limits& limits, const ClientTimeouts& timeouts, Now now)
    : exchanges_{std::move(exchanges)},
      origin_{origin},
      limits_{limits},
      timeouts_{timeouts},
      keep_alive_{timeouts.keep_alive} {
    exchanges_->open(waker());
    try {
        begin(exchanges_->next(), now);
    } catch (const std::bad_alloc&) {
        close(Failure::out_of_memory);  // no destructor does it
        throw;
    }
}

/// An exchange that has neither ended nor failed was cut.
ClientConnection::~ClientConnection() { close(Failure::stopped); }

Waker ClientConnection::waker() {
    return {origin_.postbox(), {.connection = origin_.number(), .request = 0}};
}

void ClientConnection::begin(std::shared_ptr<Exchange> next, Now now) {
    if (!next) return go_on(now);
    exchange_ = std::move(next);
    exchange_->begin(waker());
    request_.begin(exchange_->request());
    head_.reset();
    chunks_ = {};
    phase_ = Phase::head;
    due_ = never;
    sent_at_ = now.instant;
    const bool expects = exchange_->request().expects_continue;
    content_from_ = expects ? after(now, timeouts_.expectation) : now.instant;
    go_on(now);
}

/// After each event: takes what the user has for the server, and decides on the step.
void ClientConnection::go_on(Now now) {
    if (step_ == Step::close) return;
    const auto wanted = exchange_ ? exchange_->wanted() : Exchange::Wanted{.takes_bytes = true};
    if (wanted.is_canceled) return close(Failure::closed);
    if (exchange_) fill(wanted, now);
    if (has_ended_ && request_.has_ended() && request_.is_sent()) return close(Failure::closed);
    const bool sends = !request_.is_sent();
    const bool reads = !has_ended_ && wanted.takes_bytes;
    if (phase_ == Phase::content && (!reads || due_ == never))
        due_ = reads ? after(now, timeouts_.content) : never;  // a pause may be the user's
    if (!is_connected_) {
        step_ = Step::transmit;  // the socket connects: nothing can be received
    } else if (sends) {
        step_ = reads ? Step::exchange : Step::transmit;
    } else if (!reads) {
        step_ = Step::wait;
    } else {
        const bool ends = phase_ == Phase::tunnel && request_.has_ended();
        step_ = ends ? Step::drain : Step::receive;
    }
    deadline_ = due(sends);
}

/// Content stays with the exchange until the head has left: the request may have to go elsewhere.
void ClientConnection::fill(const Exchange::Wanted& wanted, Now now) {
    const bool is_new = wanted.has_content || (wanted.content_ended && !request_.has_ended());
    if (!is_new || !request_.takes_content()) return;
    if (now.instant < content_from_ && phase_ == Phase::head) return;
    sent_at_ = now.instant;
    request_.take(*exchange_, wanted.content_ended);
    if (!request_.is_sent() || !request_.has_ended() || phase_ != Phase::head) return;
    due_ = after(now, timeouts_.response);  // the end had no bytes of its own
}

Instant ClientConnection::due(bool sends) const noexcept {
    const Now from{.instant = sent_at_};
    if (!is_connected_) return after(from, timeouts_.connect);
    Instant due = due_;
    if (sends) due = std::min(due, after(from, timeouts_.transmit));
    const bool holds_back = exchange_ && phase_ == Phase::head && sent_at_ < content_from_ &&
                            !request_.has_ended() && !sends;
    return holds_back ? std::min(due, content_from_) : due;
}

CloseImpact ClientConnection::do_close_impact() const noexcept {
    return exchange_ ? CloseImpact::handling : CloseImpact::idle;
}

const Request& ClientConnection::do_take_request() { std::unreachable(); }

Transmission ClientConnection::do_transmit() { return request_.offer(); }

void ClientConnection::do_transmitted(std::uint64_t size, Now now) {
    is_connected_ = true;
    if (exchange_ && request_.is_untouched()) exchange_->note_sent();
    request_.sent(size);
    sent_at_ = now.instant;
    queued_ = not_looked;
    const bool is_whole = request_.is_sent() && request_.has_ended();
    if (is_whole && phase_ == Phase::head) due_ = after(now, timeouts_.response);
    go_on(now);
}

void ClientConnection::do_receive(std::string_view bytes, Now now) {
    if (phase_ == Phase::content) due_ = never;  // this pause has ended
    while (!bytes.empty() && step_ != Step::close) {
        switch (phase_) {
            case Phase::idle: return close(Failure::closed);  // a response without a request
            case Phase::head: bytes = take_head(bytes, now); break;
            case Phase::content: bytes = take_content(bytes, now); break;
            case Phase::tunnel:
                exchange_->deliver(bytes);
                bytes = {};
                break;
        }
    }
    go_on(now);
}

void ClientConnection::do_receive_end(Now now) {
    has_ended_ = true;
    switch (phase_) {
        case Phase::idle: return close(Failure::stale);
        case Phase::head:
            return close(is_reused_ && early_.empty() ? Failure::stale : Failure::closed);
        case Phase::content:
            if (framing_.content != ResponseFraming::Content::until_close)
                return close(Failure::closed);
            return end_exchange({}, now);
        case Phase::tunnel: exchange_->end({}); break;
    }
    go_on(now);
}

/// The connection is used again if nothing is left over on either side (RFC 9112 9.3). The offer
/// comes before the user has the last byte: the next request may follow at once, on another thread.
void ClientConnection::offer() noexcept {
    const bool is_clean = request_.is_sent() && request_.has_ended() && framing_.keep_alive &&
                          !has_ended_ && !is_retired_;
    is_kept_ = is_clean && exchanges_->keep();
}

/// The response is complete.
void ClientConnection::end_exchange(std::string trailers, Now now) {
    if (!is_kept_) offer();
    std::exchange(exchange_, nullptr)->end(std::move(trailers));
    if (!std::exchange(is_kept_, false)) return close(Failure::closed);
    phase_ = Phase::idle;
    is_reused_ = true;
    due_ = after(now, keep_alive_);
    go_on(now);
}

void ClientConnection::do_wake(RequestId /*id*/, Now now) {
    if (step_ == Step::close) return;
    if (exchange_) return go_on(now);
    if (auto next = exchanges_->next()) return begin(std::move(next), now);
    if (exchanges_->is_over()) close(Failure::closed);
}

/// A server that takes bytes slowly is not one that takes none.
void ClientConnection::do_expire(Now now, std::uint64_t queued) {
    if (now.instant < deadline_) return;
    const bool sends = !request_.is_sent();
    if (is_connected_ && sends && now.instant < due_ && queued < queued_) {
        queued_ = queued;
        sent_at_ = now.instant;
        return go_on(now);
    }
    if (is_connected_ && now.instant < due_ && !sends) return go_on(now);  // no 100 has come
    close(is_connected_ ? Failure::timed_out : Failure::unreachable);
}

void ClientConnection::do_retire(Now now) {
    is_retired_ = true;
    if (!exchange_) return close(Failure::stopped);
    go_on(now);
}

void ClientConnection::do_fail(Outcome why, Now /*now*/) {
    const bool is_lost = why == Outcome::peer_gone || why == Outcome::source_failed;
    if (is_lost && !is_connected_) return close(Failure::unreachable);
    const bool is_stale = is_lost && is_reused_ && phase_ == Phase::head && early_.empty();
    close(is_stale ? Failure::stale : failure_of(why));
}

/// The bytes that are being sent stay until the destructor. The server of a response that is not
/// wanted any more learns it by a reset.
void ClientConnection::close(Failure failure) noexcept {
    if (exchange_) resets_ = is_connected_;
    if (exchange_) std::exchange(exchange_, nullptr)->fail(failure);
    exchanges_->close();
    step_ = Step::close;
}

}  // namespace weir::http::client
