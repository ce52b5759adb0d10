#include "web/websocket/socket.h"

#include <algorithm>
#include <utility>

#include "web/websocket/close_payload.h"

namespace weir::web::detail {

using ws::FrameReader;
using ws::Opcode;

void Socket::release() noexcept {
    if (shares_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    this->~Socket();
    ::operator delete(this);
}

void Socket::operator delete(Socket* socket, std::destroying_delete_t) noexcept {
    socket->done(http::Outcome::stopped);
    socket->release();
}

// ---- the coroutine's side ----

std::optional<Message> Socket::take_message() noexcept {
    if (!has_message()) return std::nullopt;
    message_is_out_ = true;
    return reader_->message();
}

void Socket::release_message() noexcept {
    if (!message_is_out_) return;
    end_reading();
    has_heard_ = true;
}

/// Discards a message that the peer sent ahead.
void Socket::close(CloseCode code, std::string_view reason) {
    if (is_closing()) return;
    if (has_message_ && !message_is_out_) end_reading();
    if (!reason.empty()) rare().close_reason = reason;
    closed_first_ = true;
    begin_closing(code);
}

std::shared_ptr<Outbox> Socket::outbox() {
    auto& outbox = rare().outbox;
    if (!outbox) {
        const bool compresses_any = window_bits_ == ws::window_bits_max;
        outbox = std::make_shared<Outbox>(runner_.waker(), options().queue_bytes_max,
                                          Outbox::Form::frame,
                                          compresses_any ? options().compression : nullptr);
    }
    if (is_closing()) outbox->close();
    return outbox;
}

Socket::Rare& Socket::rare() {
    if (!rare_) rare_ = std::make_unique<Rare>();
    return *rare_;
}

// ---- the connection's side ----

std::size_t Socket::take(std::string_view bytes) {
    has_heard_ = true;
    std::size_t size = 0;
    if (!reader_) begin_reading();
    while (size < bytes.size() && takes()) {
        const auto step = reader_->read(bytes.substr(size));
        size += step.size;
        take_event(step.event);
    }
    if (!has_message_ && reader_->is_between_messages()) end_reading();
    return size;
}

void Socket::begin_reading() {
    const bool may_be_compressed = window_bits_ != 0;
    reader_ = FrameReader::lend(options().message_bytes_max,
                                may_be_compressed ? options().compression.get() : nullptr);
}

/// There is no message, or no use for it any more.
void Socket::end_reading() noexcept {
    has_message_ = message_is_out_ = false;
    FrameReader::give_back(std::move(reader_));
}

void Socket::take_event(FrameReader::Event event) {
    switch (event) {
        case FrameReader::Event::more:
        case FrameReader::Event::pong: return;
        case FrameReader::Event::message:
            has_message_ = !is_closing();
            if (!has_message_) reader_->next();
            return;
        case FrameReader::Event::ping: return take_ping();
        case FrameReader::Event::close: return take_close();
        case FrameReader::Event::fault: return fail(reader_->fault());
    }
}

/// RFC 6455 5.5.3: of many pings, only the last one needs a pong.
void Socket::take_ping() {
    constexpr std::size_t pongs_max = 16;
    auto& pongs = rare().pongs;
    if (pongs.size() == pongs_max) pongs.pop_back();
    pongs.emplace_back(reader_->control());
}

/// RFC 6455 5.5.1: the close frame in return has the same code.
void Socket::take_close() {
    ws::ClosePayload said;
    if (!ws::read_close(reader_->control(), said)) return fail(said.code);
    heard_close_ = true;
    if (asked_to_close_) return;
    if (!said.reason.empty()) rare().close_reason = said.reason;
    begin_closing(said.code);
}

/// RFC 6455 7.1.7: the peer gets the reason, and then the connection ends.
void Socket::fail(CloseCode code) {
    has_failed_ = true;
    lose_messages();
    if (Outbox* const outbox = own_outbox()) outbox->close();
    if (!asked_to_close_) begin_closing(code);
}

/// Takes no memory: Tunnel::retire() must not fail.
void Socket::begin_closing(CloseCode code) {
    close_code_ = code;
    asked_to_close_ = true;
    heartbeat_.begin_closing(runner_.now());
}

void Socket::end_input() noexcept {
    if (input_ended_) return;
    input_ended_ = true;
    if (!asked_to_close_) close_code_ = CloseCode::lost;
    heartbeat_.begin_closing(runner_.now());
}

bool Socket::look_after_peer(Instant now) {
    if (is_broken_) return false;
    if (has_heard_ || !takes()) {
        has_heard_ = false;
        heartbeat_.note_heard(now);
        return true;
    }
    switch (heartbeat_.look(options(), now)) {
        case ws::Heartbeat::Verdict::well: return true;
        case ws::Heartbeat::Verdict::lost: return false;
        case ws::Heartbeat::Verdict::ask: break;
    }
    owes_ping_ = true;
    return true;
}

Instant Socket::due() const noexcept {
    return takes() || heartbeat_.is_closing() ? heartbeat_.due(options()) : never;
}

void Socket::end() noexcept {
    is_gone_ = true;
    sending_ = nullptr;
    if (Outbox* const outbox = own_outbox()) outbox->close();
}

// ---- sending ----

void Socket::put(SendBase& send) noexcept {
    SendBase** place = &sending_;
    while (*place != nullptr) place = &(*place)->behind_;
    *place = &send;
}

void Socket::withdraw(SendBase& send) noexcept {
    SendBase** place = &sending_;
    while (*place != nullptr && *place != &send) place = &(*place)->behind_;
    if (*place == nullptr) return;
    if (place == &sending_ && is_sending_half()) keep_payload();
    *place = send.behind_;
}

/// The payload's owner goes.
void Socket::keep_payload() noexcept try {
    Frame& frame = *rare_->frame;
    if (!frame.shared) frame.shared = std::make_shared<const std::string>(frame.payload);
    frame.payload = *frame.shared;
    frame.is_sending = false;
} catch (const std::bad_alloc&) {
    is_broken_ = true;
    rare_->frame.reset();
}

/// No message begins any more.
void Socket::lose_messages() noexcept {
    SendBase** const place = is_sending_half() ? &sending_->behind_ : &sending_;
    for (SendBase* send = std::exchange(*place, nullptr); send != nullptr; send = send->behind_)
        send->note_lost();
}

/// Only a frame of which the peer has a part outlasts the call.
std::size_t Socket::give(std::span<char> into) {
    if (has_nothing_to_send()) return 0;
    Frame frame = is_half_sent() ? std::move(*rare_->frame) : Frame{};
    std::size_t size = 0;
    while (size < into.size() && (frame.left() != 0 || next_frame(frame)))
        size += give_some(frame, into.subspan(size));
    if (frame.left() != 0)
        keep(std::move(frame));
    else if (rare_)
        forget_frame();
    return size;
}

void Socket::keep(Frame&& frame) {
    auto& kept = rare().frame;
    if (!kept) kept = std::make_unique<Frame>();
    *kept = std::move(frame);
}

/// No frame is half sent.
void Socket::forget_frame() noexcept {
    rare_->frame.reset();
    if (rare_->pongs.empty() && !rare_->outbox && !asked_to_close_) rare_.reset();
}

bool Socket::has_nothing_to_send() const noexcept {
    return sending_ == nullptr && !rare_ && !owes_ping_ && !asked_to_close_;
}

/// Control frames come between messages. A close frame comes after all of them, unless the peer has
/// failed.
bool Socket::next_frame(Frame& frame) {
    if (gave_close_) return false;
    if (next_control_frame(frame)) return true;
    if (!has_failed_ && next_message(frame)) return true;
    if (!asked_to_close_) return false;
    gave_close_ = true;
    if (Outbox* const outbox = own_outbox()) outbox->close();
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
        return true;
    }
    if (!owes_ping_) return false;
    owes_ping_ = false;
    frame = control_frame(Opcode::ping, {});
    return true;
}

bool Socket::next_message(Frame& frame) {
    if (sending_ != nullptr) {
        frame = message_frame(sending_->message());
        frame.is_sending = true;
        return true;
    }
    Outbox* const outbox = own_outbox();
    auto item = outbox != nullptr ? outbox->take() : std::nullopt;
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
    const bool fits_window =
        window_bits_ == ws::window_bits_max || message.size() <= std::size_t{1} << window_bits_;
    if (window_bits_ == 0 || !fits_window) return nullptr;
    return options().compression->compress(message);
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
