#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::web::ws {

/// RFC 6455 5.2
enum class Opcode : std::uint8_t {
    continuation = 0x0,
    text = 0x1,
    binary = 0x2,
    close = 0x8,
    ping = 0x9,
    pong = 0xa,
};

/// Set in the first frame of a compressed message (RFC 7692 6).
inline constexpr unsigned rsv1 = 0x40;

constexpr bool is_control(Opcode opcode) noexcept {
    return (static_cast<unsigned>(opcode) & 0x8U) != 0;
}

/// RFC 6455 5.5
inline constexpr std::size_t control_bytes_max = 125;

}  // namespace weir::web::ws
