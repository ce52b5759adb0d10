#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::tests::websocket {

/// A frame as a client sends it (RFC 6455 5.2): masked, unless it is to be wrong.
struct ClientFrame {
    unsigned opcode = 1;
    std::string_view payload{};
    bool is_last = true;
    unsigned reserved = 0;  // RSV1 is 4
    bool is_masked = true;
    unsigned length_bytes = 0;  // 2 or 8: a longer form than needed
};
std::string bytes_of(const ClientFrame& frame);

inline std::string text(std::string_view payload, bool is_last = true) {
    return bytes_of({.opcode = 1, .payload = payload, .is_last = is_last});
}
inline std::string binary(std::string_view payload, bool is_last = true) {
    return bytes_of({.opcode = 2, .payload = payload, .is_last = is_last});
}
inline std::string more(std::string_view payload, bool is_last = false) {
    return bytes_of({.opcode = 0, .payload = payload, .is_last = is_last});
}
/// With RSV1 (RFC 7692 6).
inline std::string compressed(std::string_view payload, bool is_last = true) {
    return bytes_of({.opcode = 1, .payload = payload, .is_last = is_last, .reserved = 4});
}
inline std::string ping(std::string_view payload = {}) {
    return bytes_of({.opcode = 9, .payload = payload});
}
inline std::string pong(std::string_view payload = {}) {
    return bytes_of({.opcode = 10, .payload = payload});
}
/// 0: no code.
std::string close(unsigned code = 1000, std::string_view reason = {});

/// Takes a whole frame of a server off the front; false if there is none. Throws Unexpected for one
/// that a server may not send.
struct ServerFrame {
    unsigned opcode = 0;
    std::string payload;
    bool is_compressed = false;  // RSV1
};
bool take_frame(std::string_view& bytes, ServerFrame& frame);

/// Frames of a server in words: "text:hello pong: close:1000". Long payloads as their size: "binary#70000". One with
/// RSV1: "compressed text:".
std::string shown(std::string_view bytes);

/// The fields of a request that opens a WebSocket.
std::vector<std::pair<std::string, std::string>> opening();
/// The same as a request.
std::string opening(std::string_view target);

}  // namespace weir::tests::websocket
