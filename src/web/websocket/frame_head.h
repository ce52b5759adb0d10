#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "web/websocket/protocol.h"

namespace weir::web::ws {

/// The head of a frame that a server sends: whole messages, and no mask (RFC 6455 5.2).
class FrameHead {
   public:
    FrameHead() = default;
    FrameHead(Opcode opcode, std::uint64_t payload_bytes, bool is_compressed = false) noexcept {
        put(0x80U | (is_compressed ? rsv1 : 0U) | static_cast<unsigned>(opcode));
        const std::size_t length_bytes = payload_bytes <= 125 ? 0 : payload_bytes <= 0xffff ? 2 : 8;
        put(length_bytes == 0 ? payload_bytes : length_bytes == 2 ? 126U : 127U);
        for (std::size_t i = length_bytes; i-- > 0;) put(payload_bytes >> (8 * i) & 0xffU);
    }

    std::string_view bytes() const noexcept { return {bytes_.data(), size_}; }
    /// Appends a short payload. False if there is no room for it.
    bool append(std::string_view payload) noexcept {
        if (payload.size() > bytes_.size() - size_) return false;
        size_ += static_cast<std::uint8_t>(payload.copy(bytes_.data() + size_, payload.size()));
        return true;
    }

   private:
    void put(std::uint64_t byte) noexcept {
        bytes_[size_++] = std::bit_cast<char>(static_cast<unsigned char>(byte));
    }

    std::array<char, 10> bytes_{};
    std::uint8_t size_ = 0;
};

}  // namespace weir::web::ws
