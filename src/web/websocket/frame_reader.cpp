#include "web/websocket/frame_reader.h"

#include <algorithm>
#include <utility>

namespace weir::web::ws {
namespace {

constexpr std::size_t start_bytes = 2;
constexpr std::size_t key_bytes = 4;

/// The size of the longer length behind the start (RFC 6455 5.2).
constexpr std::size_t length_bytes(unsigned short_length) noexcept {
    return short_length == 127 ? 8 : short_length == 126 ? 2 : 0;
}

}  // namespace

FrameReader::Step FrameReader::read(std::string_view bytes) {
    std::size_t size = 0;
    if (fault_ != CloseCode::none) return {0, Event::fault};
    if (!in_payload_) {
        drop_control();
        size = read_head(bytes);
        if (fault_ != CloseCode::none) return {size, Event::fault};
        if (!in_payload_) return {size, Event::more};
    }
    const std::string_view payload = bytes.substr(size, left_);
    size += payload.size();
    left_ -= payload.size();
    if (!take(payload)) return {size, Event::fault};
    return {size, left_ == 0 ? end_frame() : Event::more};
}

std::unique_ptr<FrameReader> FrameReader::lend(std::size_t message_bytes_max,
                                               const MessageCompression* compression) {
    auto* const spare = Spare::get();
    if (spare == nullptr || *spare == nullptr)
        return std::make_unique<FrameReader>(message_bytes_max, compression);
    (*spare)->message_bytes_max_ = message_bytes_max;
    (*spare)->compression_ = compression;
    return std::move(*spare);
}

void FrameReader::give_back(std::unique_ptr<FrameReader> reader) noexcept {
    auto* const spare = Spare::get();
    const bool is_large = reader->message_.capacity() > spare_bytes_max;
    if (spare == nullptr || is_large || reader->fault_ != CloseCode::none) return;
    reader->next();
    *spare = std::move(reader);
}

/// Reads the head, as much of it as there is.
std::size_t FrameReader::read_head(std::string_view bytes) {
    std::size_t size = 0;
    const auto read_up_to = [&](std::size_t end) {
        while (head_size_ < end && size < bytes.size())
            head_[head_size_++] = static_cast<unsigned char>(bytes[size++]);
        return head_size_ >= end;
    };
    if (head_size_ < start_bytes && (!read_up_to(start_bytes) || !is_start_good())) return size;
    if (read_up_to(head_bytes())) in_payload_ = begin_payload();
    return size;
}

bool FrameReader::is_start_good() {
    const bool is_masked = (head_[1] & 0x80) != 0;
    if (!are_reserved_bits_good() || !is_masked || !is_opcode_good())
        return fail(CloseCode::protocol_error);
    return true;
}

/// RFC 7692 6: only the first frame of a message says that it is compressed.
bool FrameReader::are_reserved_bits_good() const noexcept {
    const unsigned bits = head_[0] & 0x70U;
    const bool may_compress =
        compression_ != nullptr && (opcode() == Opcode::text || opcode() == Opcode::binary);
    return bits == 0 || (bits == rsv1 && may_compress);
}

/// RFC 6455 5.4 and 5.5
bool FrameReader::is_opcode_good() {
    switch (opcode()) {
        case Opcode::continuation: return in_message_;
        case Opcode::text:
        case Opcode::binary: return !in_message_;
        case Opcode::close:
        case Opcode::ping:
        case Opcode::pong: return is_last() && (head_[1] & 0x7f) <= control_bytes_max;
    }
    return false;
}

/// The bytes of the message remain.
void FrameReader::drop_control() noexcept {
    message_.resize(message_.size() - control_size_);
    control_size_ = 0;
}

std::size_t FrameReader::head_bytes() const noexcept {
    return start_bytes + length_bytes(head_[1] & 0x7f) + key_bytes;
}

std::uint64_t FrameReader::length() const noexcept {
    const unsigned short_length = head_[1] & 0x7f;
    if (length_bytes(short_length) == 0) return short_length;
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < length_bytes(short_length); ++i)
        length = length << 8U | head_[start_bytes + i];
    return length;
}

bool FrameReader::begin_payload() {
    left_ = length();
    std::array<char, key_bytes> key;
    std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(head_bytes() - key_bytes), key_bytes,
                key.begin());
    mask_ = Mask{key};
    // RFC 6455 5.2: the shortest form, and no more than 63 bits.
    const std::size_t form = length_bytes(head_[1] & 0x7f);
    const bool is_form_good =
        form == 0 || (form == 2 ? left_ > 125 : left_ > 0xffff && left_ >> 63U == 0);
    if (!is_form_good) return fail(CloseCode::protocol_error);
    if (is_control(opcode())) return true;
    if (!in_message_) is_compressed_ = (head_[0] & rsv1) != 0;
    const std::size_t payload_max = payload_bytes_max();
    if (left_ > payload_max - std::min(message_.size(), payload_max))
        return fail(CloseCode::message_too_large);
    if (in_message_) return true;
    in_message_ = true;
    kind_ = opcode() == Opcode::text ? MessageKind::text : MessageKind::binary;
    text_ = {};
    return true;
}

/// A payload that does not get smaller by compression gets a little larger: by five bytes for each
/// block (RFC 1951 3.2.4).
std::size_t FrameReader::payload_bytes_max() const noexcept {
    constexpr std::size_t block_bytes_min = 2048;
    constexpr std::size_t block_head_bytes = 5;
    if (!is_compressed_) return message_bytes_max_;
    const std::size_t more = (message_bytes_max_ / block_bytes_min + 2) * block_head_bytes;
    return message_bytes_max_ + std::min(more, SIZE_MAX - message_bytes_max_);
}

/// RFC 6455 8.1: text that can't become UTF-8 fails at once.
bool FrameReader::take(std::string_view payload) {
    const std::size_t before = message_.size();
    // GCC 12 passes the capacity for the size.
    message_.resize_and_overwrite(before + payload.size(), [&](char* begin, std::size_t) {
        mask_.apply(begin + before, payload.data(), payload.size());
        return before + payload.size();
    });
    if (is_control(opcode())) control_size_ += static_cast<std::uint8_t>(payload.size());
    if (is_control(opcode()) || kind_ == MessageKind::binary || is_compressed_) return true;
    return text_.take(std::string_view{message_}.substr(before)) || fail(CloseCode::invalid_text);
}

FrameReader::Event FrameReader::end_frame() {
    in_payload_ = false;
    head_size_ = 0;
    switch (opcode()) {
        case Opcode::ping: return Event::ping;
        case Opcode::pong: return Event::pong;
        case Opcode::close: return Event::close;
        default: break;
    }
    if (!is_last()) return Event::more;
    in_message_ = false;
    return end_message() ? Event::message : Event::fault;
}

bool FrameReader::end_message() {
    if (is_compressed_ && !expand()) return false;
    return kind_ == MessageKind::binary || text_.is_whole() || fail(CloseCode::invalid_text);
}

/// RFC 7692 6.2
bool FrameReader::expand() {
    std::string message;
    switch (compression_->expand(message_, message_bytes_max_, message)) {
        case MessageCompression::Expansion::whole: break;
        case MessageCompression::Expansion::malformed: return fail(CloseCode::invalid_text);
        case MessageCompression::Expansion::too_large: return fail(CloseCode::message_too_large);
    }
    message_.swap(message);
    return kind_ == MessageKind::binary || text_.take(message_) || fail(CloseCode::invalid_text);
}

/// Always returns false.
bool FrameReader::fail(CloseCode why) noexcept {
    fault_ = why;
    return false;
}

}  // namespace weir::web::ws
