#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace weir::http::http2 {

/// The bytes that the peer may still send, on a stream or on the connection (RFC 9113 6.9.1). The window
/// opens again in large steps.
class ReceiveWindow {
   public:
    explicit ReceiveWindow(std::int32_t bytes) noexcept : open_{bytes} {}

    /// False if the peer has sent more than the window.
    bool take(std::uint32_t bytes) noexcept {
        open_ -= static_cast<std::int32_t>(bytes);
        return open_ >= 0;
    }
    /// `bytes` were consumed. Returns the increment for a WINDOW_UPDATE frame: 0 while it is less than
    /// half of `size`, the whole window.
    std::uint32_t give_back(std::size_t bytes, std::int32_t size) noexcept {
        owed_ += static_cast<std::uint32_t>(bytes);
        if (owed_ < static_cast<std::uint32_t>(size) / 2) return 0;
        open_ += static_cast<std::int32_t>(owed_);
        return std::exchange(owed_, 0);
    }

   private:
    std::int32_t open_;
    std::uint32_t owed_ = 0;  // consumed, and not granted again yet
};

}  // namespace weir::http::http2
