#pragma once

#include <linux/io_uring.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "net/mapping.h"

namespace weir::net {

class Ring;

/// Buffers that all receiving operations of a ring share. The kernel takes a buffer only when bytes
/// have arrived, so thousands of connections without input need none. The engine gives each buffer
/// back once it has read the bytes.
class BufferRing {
   public:
    BufferRing() = default;
    BufferRing(const BufferRing&) = delete;
    BufferRing& operator=(const BufferRing&) = delete;

    /// Call it before Ring::enable(). `count` is a power of two. The ring may be destroyed before
    /// the buffers, but no operation may still receive.
    std::error_code open(const Ring& ring, std::uint16_t group, std::uint16_t count,
                         std::uint32_t buffer_bytes) noexcept;

    std::uint16_t group() const noexcept { return group_; }
    std::string_view bytes(std::uint16_t buffer, std::size_t size) const noexcept {
        return {buffers_.at<const char>(std::size_t{buffer} * buffer_bytes_), size};
    }
    void give_back(std::uint16_t buffer) noexcept;

   private:
    Mapping entries_memory_;
    Mapping buffers_;
    io_uring_buf* entries_ = nullptr;
    std::uint32_t buffer_bytes_ = 0;
    std::uint16_t mask_ = 0;
    std::uint16_t tail_ = 0;
    std::uint16_t group_ = 0;
};

}  // namespace weir::net
