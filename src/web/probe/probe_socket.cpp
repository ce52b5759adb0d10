#include "weir/web/probe_socket.h"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "web/websocket/close_payload.h"
#include "web/websocket/frame_head.h"
#include "web/websocket/mask.h"
#include "web/websocket/protocol.h"

namespace weir::web {

using ws::Opcode;

namespace {

Probe::Fields opening(const Probe::Fields& fields, bool offers_compression) {
    Probe::Fields all{{"Connection", "Upgrade"},
                      {"Upgrade", "websocket"},
                      {"Sec-WebSocket-Version", "13"},
                      {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
    if (offers_compression) all.emplace_back("Sec-WebSocket-Extensions", "permessage-deflate");
    all.insert(all.end(), fields.begin(), fields.end());
    return all;
}

unsigned byte_at(std::string_view bytes, std::size_t at) {
    return static_cast<unsigned char>(bytes[at]);
}

}  // namespace

ProbeSocket::ProbeSocket(Probe& probe, std::string_view target, const Probe::Fields& fields,
                         std::shared_ptr<const MessageCompression> compression)
    : compression_{std::move(compression)},
      exchange_{probe.open("GET", target, opening(fields, compression_ != nullptr))} {
    const auto answer = exchange_.wait_for_bytes(0);
    if (answer.status != 101)
        throw std::runtime_error{"the response to a WebSocket was " +
                                 std::to_string(answer.status)};
    if (answer.field("Sec-WebSocket-Extensions").empty()) compression_ = nullptr;
}

void ProbeSocket::send(std::string_view text) {
    send_message(std::to_underlying(Opcode::text), text);
}
void ProbeSocket::send_binary(std::string_view bytes) {
    send_message(std::to_underlying(Opcode::binary), bytes);
}
void ProbeSocket::close(CloseCode code, std::string_view reason) {
    has_closed_ = true;
    send_frame(std::to_underlying(Opcode::close), ws::close_payload(code, reason));
}

void ProbeSocket::send_message(unsigned opcode, std::string_view message) {
    const auto payload = compression_ ? compression_->compress(message) : nullptr;
    send_frame(opcode, payload ? std::string_view{*payload} : message, payload != nullptr);
}

/// The head of a server's frame, with a mask (RFC 6455 5.2).
void ProbeSocket::send_frame(unsigned opcode, std::string_view payload, bool is_compressed) {
    constexpr std::array<char, 4> key{'w', 'e', 'i', 'r'};
    std::string frame{
        ws::FrameHead{static_cast<Opcode>(opcode), payload.size(), is_compressed}.bytes()};
    frame[1] = static_cast<char>(0x80U | byte_at(frame, 1));
    frame.append(key.data(), key.size());
    const std::size_t head_bytes = frame.size();
    frame += payload;
    ws::Mask{key}.apply(frame.data() + head_bytes, payload.data(), payload.size());
    exchange_.send(frame);
}

/// The size of the frame, or 0 if it has not come as a whole. A server sends whole messages without
/// a mask.
std::size_t ProbeSocket::read_frame(std::string_view bytes) {
    if (bytes.size() < 2) return 0;
    const std::size_t small = byte_at(bytes, 1) & 0x7fU;
    const std::size_t length_bytes = small == 127 ? 8 : small == 126 ? 2 : 0;
    if (bytes.size() < 2 + length_bytes) return 0;
    std::uint64_t size = length_bytes == 0 ? small : 0;
    for (std::size_t i = 0; i < length_bytes; ++i) size = size << 8U | byte_at(bytes, 2 + i);
    if (bytes.size() - 2 - length_bytes < size) return 0;
    const std::string_view payload = bytes.substr(2 + length_bytes, size);
    const bool is_compressed = (byte_at(bytes, 0) & ws::rsv1) != 0;
    const unsigned opcode = byte_at(bytes, 0) & 0x0fU;
    is_compressed ? take(opcode, expanded(payload)) : take(opcode, payload);
    return 2 + length_bytes + size;
}

std::string ProbeSocket::expanded(std::string_view payload) const {
    std::string message;
    const bool is_good =
        compression_ && compression_->expand(payload, message.max_size() - 1, message) ==
                            MessageCompression::Expansion::whole;
    if (!is_good) throw std::runtime_error{"the server sent a malformed compressed message"};
    return message;
}

void ProbeSocket::take(unsigned opcode, std::string_view payload) {
    switch (static_cast<Opcode>(opcode)) {
        case Opcode::ping: return send_frame(std::to_underlying(Opcode::pong), payload);
        case Opcode::pong: return;
        case Opcode::close: {
            ws::ClosePayload close;
            ws::read_close(payload, close);
            close_code_ = close.code;
            close_reason_ = close.reason;
            is_over_ = true;
            if (!has_closed_) send_frame(opcode, payload.substr(0, 2));  // RFC 6455 5.5.1
            return;
        }
        default: messages_.emplace_back(payload);
    }
}

void ProbeSocket::read(const Probe::Answer& answer) {
    while (!is_over_) {
        const std::size_t size = read_frame(std::string_view{answer.content}.substr(read_));
        if (size == 0) break;
        read_ += size;
    }
    if (is_over_ || !answer.is_complete) return;
    is_over_ = true;
    close_code_ = CloseCode::lost;
}

std::optional<std::string> ProbeSocket::receive() {
    read(exchange_.answer());
    while (messages_.empty() && !is_over_) read(exchange_.wait_for_bytes(read_ + 1));
    if (messages_.empty()) return std::nullopt;
    std::string first = std::move(messages_.front());
    messages_.pop_front();
    return first;
}

bool ProbeSocket::has_next() {
    read(exchange_.answer());
    return !messages_.empty() || is_over_;
}

}  // namespace weir::web
