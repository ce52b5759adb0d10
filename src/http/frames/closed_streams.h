#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "http/frames/protocol.h"

namespace weir::http::http2 {

/// The ends of the last streams. Frames for a stream that this side has reset may still be on their
/// way. For any other closed stream they are an error (RFC 9113 5.1).
class ClosedStreams {
   public:
    enum class End : std::uint8_t { unknown, peer_ended, was_reset };

    void add(StreamId id, End end) noexcept {
        entries_[next_++ % entries_.size()] = end == End::was_reset ? id | reset_bit : id;
    }
    End find(StreamId id) const noexcept {
        for (const std::uint32_t entry : entries_)
            if ((entry & ~reset_bit) == id)
                return (entry & reset_bit) != 0 ? End::was_reset : End::peer_ended;
        return End::unknown;
    }

   private:
    static constexpr std::uint32_t reset_bit = 0x8000'0000;

    std::array<std::uint32_t, 128> entries_{};
    std::size_t next_ = 0;
};

}  // namespace weir::http::http2
