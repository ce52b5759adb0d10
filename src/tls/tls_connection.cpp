#include "tls/tls_connection.h"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <new>
#include <utility>

#include "base/troubles.h"

namespace weir::tls {

using http::Outcome;
using http::Step;

namespace {

constexpr std::chrono::milliseconds farewell_time{1'000};
constexpr std::chrono::milliseconds first_record_grace{1'000};  // once the server stops
constexpr std::size_t replies_bytes_max = 4 * 1024;

/// Returns how much it read; 0 where the file has ended, or can't be read.
std::size_t read_file(const http::FileRange& file, std::uint64_t from,
                      std::span<char> into) noexcept {
    for (;;) {
        const auto size =
            ::pread(file.fd, into.data(), into.size(), static_cast<off_t>(file.offset + from));
        if (size >= 0) return static_cast<std::size_t>(size);
        if (errno != EINTR) return 0;
    }
}

}  // namespace

TlsConnection::TlsConnection(std::unique_ptr<Session> session, MakeInner make_inner,
                             Buffers& buffers, Options options, Now now)
    : session_{std::move(session)},
      make_inner_{std::move(make_inner)},
      buffers_{buffers},
      share_{options.memory} {
    if (options.handshake_timeout.count() != 0) deadline_ = now.instant + options.handshake_timeout;
}

// ---- what the engine asks, and tells ----

http::Standing TlsConnection::do_standing() const noexcept {
    return phase_ == Phase::open ? inner_->standing() : http::Standing::unfinished;
}

/// What is left of the input waits for the reply.
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
    if (!input_.empty()) {  // after take_request()
        keep_input();
        kept_input_.append(bytes);
        bytes = kept_input_;
    }
    input_ = bytes;
    advance(now);
}

void TlsConnection::do_receive_end(Now now) {
    if (phase_ != Phase::open) return close();
    if (inner_->step() == Step::drain) {
        inner_->receive_end(now);
    } else if (!input_ended_) {  // without close_notify, anybody on the way may have cut it
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

void TlsConnection::do_expire(Now now, std::uint64_t queued) {
    if (now.instant < deadline_) return;
    if (phase_ == Phase::handshake) troubles().note(Trouble::slow_peers);
    if (phase_ != Phase::open) return close();
    inner_->expire(now, queued);
    advance(now);
}

void TlsConnection::do_turn_away(Now now) {
    if (phase_ != Phase::open) return close();  // nothing can be said before there are keys
    inner_->turn_away(now);
    advance(now);
}

void TlsConnection::do_retire(Now now) {
    is_retired_ = true;
    if (phase_ == Phase::handshake)
        deadline_ = std::min(deadline_, now.instant + first_record_grace);
    if (phase_ != Phase::open) return;
    inner_->retire(now);
    advance(now);
}

void TlsConnection::do_fail(Outcome why, Now now) {
    if (inner_) inner_->fail(why, now);
    close();
}

void TlsConnection::do_settle(Now now) {
    if (phase_ == Phase::open && inner_->settle(now)) advance(now);
    keep_output();
    keep_input();
    if (!share_.resize(kept_input_.capacity() + kept_output_.capacity() + replies_.capacity()))
        throw std::bad_alloc{};
    if (batch_.unsent.empty() && input_.empty()) session_->release();
}

// ---- from step to step ----

/// Does all that can be done without the engine.
void TlsConnection::advance(Now now) {
    while (phase_ == Phase::handshake ? shake_hands(now) : phase_ == Phase::open && decrypt(now)) {}
    if (phase_ == Phase::open) encrypt(now);
    if (phase_ == Phase::open && inner_->step() == Step::close) end(now);
    if (phase_ == Phase::open) deadline_ = inner_->deadline();
    if (phase_ == Phase::farewell && batch_.unsent.empty()) phase_ = Phase::closed;
    show_step();
}

void TlsConnection::show_step() noexcept { step_ = next_step(); }

Step TlsConnection::next_step() const noexcept {
    const bool has_output = !batch_.unsent.empty();
    if (phase_ == Phase::handshake) return has_output ? Step::transmit : Step::receive;
    if (phase_ == Phase::farewell) return Step::transmit;
    if (phase_ == Phase::closed) return Step::close;
    const Step inner = inner_->step();
    if (!has_output || inner == Step::handle) return inner;
    return inner == Step::receive || inner == Step::exchange ? Step::exchange : Step::transmit;
}

/// Each of these returns whether there may be more of it.
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
    inner_ = make_inner_(*session_, now);
    make_inner_ = nullptr;
    phase_ = Phase::open;
    if (is_retired_) inner_->retire(now);
}

bool TlsConnection::decrypt(Now now) {
    if (input_.empty() || !http::reads(inner_->step())) return false;
    if (input_ended_ || inner_->step() == Step::drain) {  // what it says does not matter any more
        const std::string_view thrown_away = std::exchange(input_, {});
        if (inner_->step() == Step::drain) inner_->receive(thrown_away, now);
        return false;
    }
    const auto [status, size] = read_record();
    switch (status) {
        case Session::Status::going_on:
            inner_->receive({buffers_.plain.data(), size}, now);
            return true;
        case Session::Status::wants_input: return false;
        case Session::Status::ended:
            input_ended_ = true;
            input_ = {};
            inner_->receive_end(now);
            return false;
        case Session::Status::wants_room:
        case Session::Status::failed: break_off(now); return false;
    }
    return false;
}

/// A batch that is being sent can't grow. What the session itself says meanwhile is kept for the next.
Session::Read TlsConnection::read_record() {
    if (!batch_.is_sealed) {
        begin_batch();
        const auto read = session_->read(input_, buffers_.plain, cipher_);
        batch_.unsent = cipher_.bytes();
        return read;
    }
    std::array<char, replies_bytes_max> room;
    Ciphertext replies{std::span{room}.first(replies_bytes_max - replies_.size())};
    const auto read = session_->read(input_, buffers_.plain, replies);
    replies_.append(replies.bytes());
    return read;
}

void TlsConnection::encrypt(Now now) {
    while (http::sends(inner_->step()) && !batch_.is_sealed && !batch_.ends) {
        const http::Transmission what = inner_->transmit();
        const std::uint64_t left = what.part_bytes() + what.file.size - ahead_;
        begin_batch();
        if (left == 0) {
            if (what.ends) say_close();
            return;
        }
        if (batch_.count == batch_.records.size() ||
            cipher_.left() < record_plain_max + record_overhead_max)
            return;
        if (!encrypt_record(what, std::min<std::uint64_t>(left, record_plain_max), now)) return;
    }
}

bool TlsConnection::encrypt_record(const http::Transmission& what, std::size_t size, Now now) {
    const std::string_view plain = gather(what, size);
    if (plain.empty()) {  // a file that ended: nothing else can stand in for what was promised
        inner_->fail(Outcome::source_failed, now);
        return false;
    }
    if (!session_->write(plain, cipher_)) {
        break_off(now);
        return false;
    }
    batch_.unsent = cipher_.bytes();
    batch_.records[batch_.count++] = {static_cast<std::uint32_t>(cipher_.size()),
                                      static_cast<std::uint32_t>(plain.size())};
    ahead_ += plain.size();
    return true;
}

/// The next `size` bytes that are not encrypted yet, or fewer. Small pieces share a record.
std::string_view TlsConnection::gather(const http::Transmission& what, std::size_t size) noexcept {
    std::uint64_t skip = ahead_;
    Ciphertext pieces{std::span{buffers_.gather}.first(size)};
    for (const std::string_view part : what.parts) {
        const auto skipped = std::min<std::uint64_t>(skip, part.size());
        skip -= skipped;
        const std::string_view rest = part.substr(skipped);
        if (pieces.size() == 0 && rest.size() >= size) return rest.substr(0, size);
        pieces.append(rest);
    }
    const std::span<char> room = std::span{buffers_.gather}.subspan(pieces.size(), pieces.left());
    const std::size_t read = room.empty() ? 0 : read_file(what.file, skip, room);
    return {buffers_.gather.data(), pieces.size() + read};
}

// ---- the end ----

void TlsConnection::say_close() noexcept {
    session_->close(cipher_);
    batch_.unsent = cipher_.bytes();
    batch_.ends = said_close_ = true;
}

/// The protocol inside has closed. A peer that has got all there was is told that this is the end.
void TlsConnection::end(Now now) noexcept {
    resets_ = inner_->resets();
    if (resets_ || said_close_ || batch_.is_sealed || batch_.count != 0) return close();
    begin_batch();
    say_close();
    part(now);
}

/// The peer broke the rules of TLS, or the library failed: an alert says so, where there is one.
void TlsConnection::break_off(Now now) {
    if (inner_) inner_->fail(Outcome::peer_gone, now);
    if (batch_.is_sealed || batch_.count != 0) return close();
    batch_.ends = true;
    part(now);
}

void TlsConnection::part(Now now) noexcept {
    input_ = {};
    phase_ = Phase::farewell;
    deadline_ = now.instant + farewell_time;
}

void TlsConnection::close() noexcept {
    input_ = {};
    phase_ = Phase::closed;
    deadline_ = never;
    show_step();
}

// ---- what is borrowed, and what is kept ----

/// Where nothing waits to be sent: what comes next begins in the buffer that all connections of the
/// thread share.
void TlsConnection::begin_batch() noexcept {
    if (!batch_.unsent.empty() || batch_.is_sealed) return;
    batch_ = {};
    cipher_ = Ciphertext{buffers_.cipher};
    cipher_.append(replies_);
    batch_.unsent = cipher_.bytes();
    replies_ = {};
}

void TlsConnection::keep_output() {
    if (batch_.unsent.empty() || !kept_output_.empty()) return;
    kept_output_ = batch_.unsent;
    batch_.unsent = kept_output_;
    batch_.is_sealed = true;
}

void TlsConnection::keep_input() {
    if (input_.empty()) {
        kept_input_ = {};
        return;
    }
    if (input_.data() >= kept_input_.data() &&
        input_.data() < kept_input_.data() + kept_input_.size())
        return;
    kept_input_.assign(input_);
    input_ = kept_input_;
}

}  // namespace weir::tls
