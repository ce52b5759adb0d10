#include "web/websocket/socket.h"

#include <algorithm>
#include <utility>

#include "web/websocket/close_payload.h"

namespace weir::web::detail {

using ws::FrameReader;
using ws::Opcode;

Socket::Socket(http::Waker waker, std::shared_ptr<const WebSocketOptions> options,
               std::string_view protocol)
    : waker_{std::move(waker)},
      options_{std::move(options)},
      protocol_{protocol},
      reader_{options_->message_bytes_max},
      heartbeat_{options_->ping_every, options_->pong_within, waker_.now()} {}

// ---- the coroutine's side ----

std::optional<Message> Socket::take_message() noexcept {
    if (!has_message()) return std::nullopt;
    message_is_out_ = true;
    return reader_.message();
}

void Socket::release_message() noexcept {
    if (!std::exchange(message_is_out_, false)) return;
    has_message_ = false;
    reader_.next();
    heartbeat_.note_heard(waker_.now());
}

/// Discards a message that the peer sent ahead.
void Socket::close(CloseCode code, std::string_view reason) {
    if (is_closing()) return;
    if (has_message_ && !message_is_out_) {
        has_message_ = false;
        reader_.next();
    }
    close_code_ = code;
    close_reason_ = reason;
    begin_closing(code, reason);
}

std::shared_ptr<Outbox> Socket::outbox() {
    if (!outbox_)
        outbox_ = std::make_shared<Outbox>(waker_, options_->queue_bytes_max, Outbox::Form::frame);
    if (is_closing()) outbox_->close();
    return outbox_;
}

// ---- the connection's side ----

std::size_t Socket::take(std::string_view bytes) {
    heartbeat_.note_heard(waker_.now());
    std::size_t size = 0;
    while (size < bytes.size() && takes()) {
        const auto step = reader_.read(bytes.substr(size));
        size += step.size;
        take_event(step.event);
    }
    return size;
}

void Socket::take_event(FrameReader::Event event) {
    switch (event) {
        case FrameReader::Event::more:
        case FrameReader::Event::pong: return;
        case FrameReader::Event::message:
            has_message_ = !is_closing();
            if (!has_message_) reader_.next();
            return;
        case FrameReader::Event::ping: return take_ping();
        case FrameReader::Event::close: return take_close();
        case FrameReader::Event::fault: return fail(reader_.fault());
    }
}

/// RFC 6455 5.5.3: of many pings, only the last one needs a pong.
void Socket::take_ping() {
    constexpr std::size_t pongs_max = 16;
    if (pongs_.size() == pongs_max) pongs_.pop_back();
    pongs_.emplace_back(reader_.control());
}

/// RFC 6455 5.5.1: the close frame in return has the same code.
void Socket::take_close() {
    ws::ClosePayload said;
    if (!ws::read_close(reader_.control(), said)) return fail(said.code);
    heard_close_ = true;
    if (asked_to_close_) return;
    close_code_ = said.code;
    close_reason_ = said.reason;
    begin_closing(said.code, {});
}

/// RFC 6455 7.1.7: the peer gets the reason, and then the connection ends.
void Socket::fail(CloseCode code) {
    has_failed_ = true;
    lose_messages();
    if (outbox_) outbox_->close();
    if (asked_to_close_) return;
    close_code_ = code;
    begin_closing(code, {});
}

void Socket::begin_closing(CloseCode code, std::string_view reason) {
    close_payload_ = ws::close_payload(code, reason);
    asked_to_close_ = true;
    if (close_by_ == never) close_by_ = waker_.now() + options_->close_within;
}

void Socket::end_input() noexcept {
    if (std::exchange(input_ended_, true)) return;
    if (!asked_to_close_) close_code_ = CloseCode::lost;
    if (close_by_ == never) close_by_ = waker_.now() + options_->close_within;
}

bool Socket::look_after_peer() {
    if (is_broken_) return false;
    if (!takes()) {
        heartbeat_.note_heard(waker_.now());
        return true;
    }
    switch (heartbeat_.look(waker_.now())) {
        case ws::Heartbeat::Verdict::well: return true;
        case ws::Heartbeat::Verdict::lost: return false;
        case ws::Heartbeat::Verdict::ask: break;
    }
    owes_ping_ = !gave_close_;
    return true;
}

Instant Socket::due() const noexcept {
    return std::min(close_by_, takes() ? heartbeat_.due() : never);
}

void Socket::end() noexcept {
    is_gone_ = true;
    sending_ = nullptr;
    if (outbox_) outbox_->close();
}

// ---- sending ----

void Socket::put(Send& send) noexcept {
    Send** place = &sending_;
    while (*place != nullptr) place = &(*place)->behind_;
    *place = &send;
}

void Socket::withdraw(Send& send) noexcept {
    Send** place = &sending_;
    while (*place != nullptr && *place != &send) place = &(*place)->behind_;
    if (*place == nullptr) return;
    if (place == &sending_ && frame_.is_sending) keep_frame();
    *place = send.behind_;
}

/// The payload's owner goes.
void Socket::keep_frame() noexcept try {
    frame_.own = frame_.payload;
    frame_.payload = frame_.own;
    frame_.is_sending = false;
} catch (const std::bad_alloc&) {
    is_broken_ = true;
    frame_ = {};
}

/// No message begins any more.
void Socket::lose_messages() noexcept {
    Send** const place = frame_.is_sending ? &sending_->behind_ : &sending_;
    for (Send* send = std::exchange(*place, nullptr); send != nullptr; send = send->behind_)
        send->note_lost();
}

std::size_t Socket::give(std::span<char> into) {
    std::size_t size = 0;
    while (size < into.size() && (frame_.left() != 0 || next_frame()))
        size += give_some(into.subspan(size));
    return size;
}

/// Control frames come between messages. A close frame comes after all of them, unless the peer has
/// failed.
bool Socket::next_frame() {
    if (gave_close_) return false;
    if (next_control_frame()) return true;
    if (!has_failed_ && next_message()) return true;
    if (!asked_to_close_) return false;
    gave_close_ = true;
    if (outbox_) outbox_->close();
    begin_control(Opcode::close, std::move(close_payload_));
    return true;
}

bool Socket::next_control_frame() {
    if (has_failed_) return false;
    if (!pongs_.empty()) {
        begin_control(Opcode::pong, std::move(pongs_.front()));
        pongs_.erase(pongs_.begin());
        if (pongs_.empty()) std::vector<std::string>{}.swap(pongs_);
        return true;
    }
    if (!std::exchange(owes_ping_, false)) return false;
    begin_control(Opcode::ping, {});
    return true;
}

bool Socket::next_message() {
    if (sending_ != nullptr) {
        begin_message(sending_->message());
        frame_.is_sending = true;
        return true;
    }
    if (!outbox_) return false;
    auto item = outbox_->take();
    if (!item) return false;
    if (item->code != CloseCode::none) {
        close(item->code, item->bytes ? std::string_view{*item->bytes} : std::string_view{});
        return false;
    }
    begin_item(std::move(*item));
    return true;
}

void Socket::begin_item(Outbox::Item&& item) {
    const std::string_view bytes = *item.bytes;
    const bool is_text = item.form == Outbox::Form::text;
    begin_message({.data = bytes, .kind = is_text ? MessageKind::text : MessageKind::binary});
    if (item.form == Outbox::Form::frame) frame_.head = {};  // the bytes have it
    frame_.shared = std::move(item.bytes);
}

void Socket::begin_control(Opcode opcode, std::string payload) {
    frame_ = {};
    frame_.own = std::move(payload);
    frame_.payload = frame_.own;
    frame_.head = {opcode, frame_.payload.size()};
}

void Socket::begin_message(const Message& message) {
    frame_ = {};
    frame_.payload = message.data;
    frame_.head = {message.is_text() ? Opcode::text : Opcode::binary, message.data.size()};
}

std::size_t Socket::give_some(std::span<char> into) noexcept {
    const std::string_view head = frame_.head.bytes();
    const std::string_view from = frame_.given < head.size()
                                      ? head.substr(frame_.given)
                                      : frame_.payload.substr(frame_.given - head.size());
    const std::size_t size = from.copy(into.data(), into.size());
    frame_.given += size;
    if (frame_.left() != 0) return size;
    if (frame_.is_sending) {
        sending_->note_taken();
        sending_ = sending_->behind_;
    }
    frame_ = {};
    return size;
}

}  // namespace weir::web::detail
