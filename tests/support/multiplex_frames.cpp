#include "support/multiplex_frames.h"

namespace weir::tests::multiplex {
namespace {

constexpr std::string_view types = "QUCARGDEW";
constexpr std::size_t number_bytes = 4;

void append_number(std::string& out, std::uint64_t number, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
        out += static_cast<char>(number >> shift & 0xff);
}

std::uint32_t read_number(std::string_view bytes) {
    std::uint32_t number = 0;
    for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
    return number;
}

}  // namespace

std::string frame_head(FrameType type, std::uint32_t stream, std::size_t payload_bytes) {
    std::string out{static_cast<char>(type)};
    append_number(out, payload_bytes, 3);
    append_number(out, stream, 4);
    return out;
}

std::string frame(FrameType type, std::uint32_t stream, std::string_view payload) {
    return frame_head(type, stream, payload.size()).append(payload);
}

std::string number_frame(FrameType type, std::uint32_t stream, std::uint32_t number) {
    std::string out = frame_head(type, stream, number_bytes);
    append_number(out, number, number_bytes);
    return out;
}

std::uint32_t number_in(std::string_view payload) { return read_number(payload); }

ReadFrame read_frame(std::string_view bytes) {
    using enum ReadFrame::Result;
    if (!bytes.empty() && !types.contains(bytes[0])) return {malformed};
    if (bytes.size() < frame_head_bytes) return {more};
    const std::size_t length = read_number(bytes.substr(1, 3));
    const auto type = static_cast<FrameType>(bytes[0]);
    const bool has_number = type == FrameType::window || type == FrameType::goaway;
    if (length > payload_bytes_max || (has_number && length != number_bytes)) return {malformed};
    if (bytes.size() < frame_head_bytes + length) return {more};
    return {
        .result = frame,
        .frame = {type, read_number(bytes.substr(4, 4)), bytes.substr(frame_head_bytes, length)},
        .size = frame_head_bytes + length};
}

}  // namespace weir::tests::multiplex
