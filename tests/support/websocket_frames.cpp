#include "support/websocket_frames.h"

#include <array>
#include <stdexcept>

namespace weir::tests::websocket {
namespace {

std::string big_endian(std::uint64_t number, unsigned bytes) {
    std::string out;
    while (bytes-- > 0) out += static_cast<char>(number >> (8 * bytes) & 0xffU);
    return out;
}

std::uint64_t number_of(std::string_view bytes) {
    std::uint64_t number = 0;
    for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
    return number;
}

std::string name_of(unsigned opcode) {
    switch (opcode) {
        case 1: return "text";
        case 2: return "binary";
        case 8: return "close";
        case 9: return "ping";
        case 10: return "pong";
        default: throw std::runtime_error{"a server sent opcode " + std::to_string(opcode)};
    }
}

}  // namespace

std::string bytes_of(const ClientFrame& frame) {
    constexpr std::string_view key = "\x37\xfa\x21\x3d";
    const std::size_t size = frame.payload.size();
    const unsigned form = frame.length_bytes != 0 ? frame.length_bytes
                          : size > 0xffff         ? 8
                          : size > 125            ? 2
                                                  : 0;
    std::string out;
    out += static_cast<char>((frame.is_last ? 0x80U : 0U) | frame.reserved << 4U | frame.opcode);
    const unsigned short_length = form == 8 ? 127 : form == 2 ? 126 : static_cast<unsigned>(size);
    out += static_cast<char>((frame.is_masked ? 0x80U : 0U) | short_length);
    out += big_endian(size, form);
    if (!frame.is_masked) return out.append(frame.payload);
    out += key;
    for (std::size_t i = 0; i < size; ++i)
        out += static_cast<char>(frame.payload[i] ^ key[i % key.size()]);
    return out;
}

std::string close(unsigned code, std::string_view reason) {
    const std::string payload = code == 0 ? "" : big_endian(code, 2).append(reason);
    return bytes_of({.opcode = 8, .payload = payload});
}

bool take_frame(std::string_view& bytes, ServerFrame& frame) {
    if (bytes.size() < 2) return false;
    const auto first = static_cast<unsigned char>(bytes[0]);
    const auto second = static_cast<unsigned char>(bytes[1]);
    const bool is_compressed = (first & 0x40U) != 0;
    const bool is_control = (first & 8U) != 0;
    if ((first & 0xb0U) != 0x80U || (second & 0x80U) != 0 || (is_compressed && is_control))
        throw std::runtime_error{"a server sent a fragment, a reserved bit or a mask"};
    const std::size_t form = second == 127 ? 8 : second == 126 ? 2 : 0;
    if (bytes.size() < 2 + form) return false;
    const std::uint64_t size = form == 0 ? second : number_of(bytes.substr(2, form));
    if (bytes.size() - 2 - form < size) return false;
    frame = {.opcode = first & 0x0fU,
             .payload = std::string{bytes.substr(2 + form, size)},
             .is_compressed = is_compressed};
    bytes.remove_prefix(2 + form + size);
    return true;
}

std::string shown(std::string_view bytes) {
    constexpr std::size_t shown_bytes_max = 60;
    std::string all;
    for (ServerFrame frame; take_frame(bytes, frame);) {
        if (!all.empty()) all += ' ';
        if (frame.is_compressed) all += "compressed ";
        all += name_of(frame.opcode);
        if (frame.opcode == 8 && frame.payload.size() >= 2)
            frame.payload =
                std::to_string(number_of(frame.payload.substr(0, 2))) + frame.payload.substr(2);
        const bool is_long = frame.payload.size() > shown_bytes_max;
        all += is_long ? "#" + std::to_string(frame.payload.size()) : ":" + frame.payload;
    }
    if (!bytes.empty()) all += " and " + std::to_string(bytes.size()) + " bytes";
    return all;
}

std::vector<std::pair<std::string, std::string>> opening() {
    return {{"Connection", "keep-alive, Upgrade"},
            {"Upgrade", "websocket"},
            {"Sec-WebSocket-Version", "13"},
            {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
}

std::string opening(std::string_view target) {
    std::string request = "GET " + std::string{target} + " HTTP/1.1\r\nHost: localhost\r\n";
    for (const auto& [name, value] : opening()) request += name + ": " + value + "\r\n";
    return request += "\r\n";
}

}  // namespace weir::tests::websocket
