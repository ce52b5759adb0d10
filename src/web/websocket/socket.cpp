#include "web/websocket/socket.h"

#include <algorithm>
#include <utility>

#include "web/websocket/close_payload.h"

namespace weir::web::detail {

using ws::FrameReader;
using ws::Opcode;

Socket::Socket(const http::Waker& waker, SocketTerms terms) noexcept
    : waker_{waker},
      terms_{std::move(terms)},
      reader_{terms_.options->message_bytes_max,
              terms_.window_bits != 0 ? terms_.options->compression.get() : nullptr},
      heartbeat_{waker_.now()} {}

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
    has_heard_ = true;
}

/// Discards a message that the peer sent ahead.
void Socket::close(CloseCode code, std::string_view reason) {
    if (is_closing()) return;
    if (has_message_ && !message_is_out_) {
        has_message_ = false;
        reader_.next();
    }
    if (!reason.empty()) rare().close_reason = reason;
    closed_first_ = true;
    begin_closing(code);
}

std::shared_ptr<Outbox> Socket::outbox() {
    if (!outbox_) {
        const bool compresses_any = terms_.window_bits == ws::window_bits_max;
        outbox_ =
            std::make_shared<Outbox>(waker_, terms_.options->queue_bytes_max, Outbox::Form::frame,
                                     compresses_any ? terms_.options->compression : nullptr);
    }
    if (is_closing()) outbox_->close();
    return outbox_;
}

Socket::Rare& Socket::rare() {
    if (!rare_) rare_ = std::make_unique<Rare>();
    return *rare_;
}

// ---- the connection's side ----

std::size_t Socket::take(std::string_view bytes) {
    has_heard_ = true;
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
    auto& pongs = rare().pongs;
    if (pongs.size() == pongs_max) pongs.pop_back();
    pongs.emplace_back(reader_.control());
}

/// RFC 6455 5.5.1: the close frame in return has the same code.
void Socket::take_close() {
    ws::ClosePayload said;
    if (!ws::read_close(reader_.control(), said)) return fail(said.code);
    heard_close_ = true;
    if (asked_to_close_) return;
    if (!said.reason.empty()) rare().close_reason = said.reason;
    begin_closing(said.code);
}

/// RFC 6455 7.1.7: the peer gets the reason, and then the connection ends.
void Socket::fail(CloseCode code) {
    has_failed_ = true;
    lose_messages();
    if (outbox_) outbox_->close();
    if (!asked_to_close_) begin_closing(code);
}

/// Takes no memory: Tunnel::retire() must not fail.
void Socket::begin_closing(CloseCode code) {
    close_code_ = code;
    asked_to_close_ = true;
    if (close_by_ == never) close_by_ = waker_.now() + terms_.options->close_within;
}

void Socket::end_input() noexcept {
    if (std::exchange(input_ended_, true)) return;
    if (!asked_to_close_) close_code_ = CloseCode::lost;
    if (close_by_ == never) close_by_ = waker_.now() + terms_.options->close_within;
}

bool Socket::look_after_peer(Instant now) {
    if (is_broken_) return false;
    if (std::exchange(has_heard_, false) || !takes()) {
        heartbeat_.note_heard(now);
        return true;
    }
    switch (heartbeat_.look(*terms_.options, now)) {
        case ws::Heartbeat::Verdict::well: return true;
        case ws::Heartbeat::Verdict::lost: return false;
        case ws::Heartbeat::Verdict::ask: break;
    }
    owes_ping_ = !gave_close_;
    return true;
}

Instant Socket::due() const noexcept {
    return std::min(close_by_, takes() ? heartbeat_.due(*terms_.options) : never);
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
    if (place == &sending_ && is_sending_half()) keep_payload();
    *place = send.behind_;
}

/// True if the peer has a part of the first message that waits.
bool Socket::is_sending_half() const noexcept { return frame_ && frame_->is_sending; }

/// The payload's owner goes.
void Socket::keep_payload() noexcept try {
    if (!frame_->shared) frame_->shared = std::make_shared<const std::string>(frame_->payload);
    frame_->payload = *frame_->shared;
    frame_->is_sending = false;
} catch (const std::bad_alloc&) {
    is_broken_ = true;
    frame_.reset();
}

/// No message begins any more.
void Socket::lose_messages() noexcept {
    Send** const place = is_sending_half() ? &sending_->behind_ : &sending_;
    for (Send* send = std::exchange(*place, nullptr); send != nullptr; send = send->behind_)
        send->note_lost();
}

/// Only a frame of which the peer has a part outlasts the call.
std::size_t Socket::give(std::span<char> into) {
    if (has_nothing_to_send()) return 0;
    Frame frame = frame_ ? std::move(*frame_) : Frame{};
    std::size_t size = 0;
    while (size < into.size() && (frame.left() != 0 || next_frame(frame)))
        size += give_some(frame, into.subspan(size));
    if (frame.left() == 0)
        frame_.reset();
    else if (frame_)
        *frame_ = std::move(frame);
    else
        frame_ = std::make_unique<Frame>(std::move(frame));
    return size;
}

bool Socket::has_nothing_to_send() const noexcept {
    return !frame_ && sending_ == nullptr && !outbox_ && !rare_ && !owes_ping_ && !asked_to_close_;
}

/// Control frames come between messages. A close frame comes after all of them, unless the peer has
/// failed.
bool Socket::next_frame(Frame& frame) {
    if (gave_close_) return false;
    if (next_control_frame(frame)) return true;
    if (!has_failed_ && next_message(frame)) return true;
    if (!asked_to_close_) return false;
    gave_close_ = true;
    if (outbox_) outbox_->close();
    const auto reason = closed_first_ ? close_reason() : std::string_view{};
    frame = control_frame(Opcode::close, ws::close_payload(close_code_, reason));
    return true;
}

bool Socket::next_control_frame(Frame& frame) {
    if (has_failed_) return false;
    if (rare_ && !rare_->pongs.empty()) {
        auto& pongs = rare_->pongs;
        frame = control_frame(Opcode::pong, std::move(pongs.front()));
        pongs.erase(pongs.begin());
        if (pongs.empty() && !asked_to_close_) rare_.reset();
        return true;
    }
    if (!std::exchange(owes_ping_, false)) return false;
    frame = control_frame(Opcode::ping, {});
    return true;
}

bool Socket::next_message(Frame& frame) {
    if (sending_ != nullptr) {
        frame = message_frame(sending_->message());
        frame.is_sending = true;
        return true;
    }
    if (!outbox_) return false;
    auto item = outbox_->take();
    if (!item) return false;
    if (item->code != CloseCode::none) {
        close(item->code, item->bytes ? std::string_view{*item->bytes} : std::string_view{});
        return false;
    }
    if (item->form == Outbox::Form::frame) {
        frame.payload = *item->bytes;  // with the head
    } else {
        const bool is_text = item->form == Outbox::Form::text;
        frame = message_frame(
            {.data = *item->bytes, .kind = is_text ? MessageKind::text : MessageKind::binary});
    }
    if (!frame.shared) frame.shared = std::move(item->bytes);
    return true;
}

/// A close code takes no memory.
Socket::Frame Socket::control_frame(Opcode opcode, std::string&& payload) {
    Frame frame{.head = {opcode, payload.size()}};
    if (frame.head.append(payload)) return frame;
    frame.shared = std::make_shared<const std::string>(std::move(payload));
    frame.payload = *frame.shared;
    return frame;
}

Socket::Frame Socket::message_frame(const Message& message) const noexcept {
    const Opcode opcode = message.is_text() ? Opcode::text : Opcode::binary;
    if (auto shared = compressed(message.data)) {
        const std::string_view payload = *shared;
        return {.head = {opcode, payload.size(), true},
                .payload = payload,
                .shared = std::move(shared)};
    }
    return {.head = {opcode, message.data.size()}, .payload = message.data};
}

/// Null: the message is sent as it is. No encoder looks at the peer's window: it holds the whole
/// message.
std::shared_ptr<const std::string> Socket::compressed(std::string_view message) const noexcept {
    const bool fits_window = terms_.window_bits == ws::window_bits_max ||
                             message.size() <= std::size_t{1} << terms_.window_bits;
    if (terms_.window_bits == 0 || !fits_window) return nullptr;
    return terms_.options->compression->compress(message);
}

std::size_t Socket::give_some(Frame& frame, std::span<char> into) noexcept {
    const std::string_view head = frame.head.bytes();
    const std::string_view from = frame.given < head.size()
                                      ? head.substr(frame.given)
                                      : frame.payload.substr(frame.given - head.size());
    const std::size_t size = from.copy(into.data(), into.size());
    frame.given += size;
    if (frame.left() != 0) return size;
    if (frame.is_sending) {
        sending_->note_taken();
        sending_ = sending_->behind_;
    }
    frame = {};
    return size;
}

}  // namespace weir::web::detail
