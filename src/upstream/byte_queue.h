#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace weir::upstream {

/// Bytes on their way from one side of an exchange to the other.
class ByteQueue {
   public:
    /// A queue of this size is full: its reader is slower than its writer.
    static constexpr std::size_t bytes_max = 64 * 1024;

    bool is_empty() const noexcept { return read_ == bytes_.size(); }
    bool is_full() const noexcept { return size() >= bytes_max; }
    std::size_t size() const noexcept { return bytes_.size() - read_; }

    /// A reader that is slow may never empty the queue. Bytes that were read go as soon as there
    /// are as many as the others, so a byte moves once at most for each byte that was read.
    void append(std::string_view bytes) {
        if (read_ >= size()) drop_read();
        bytes_ += bytes;
    }
    /// Returns the number of bytes that were moved into `into`.
    std::size_t read(std::span<char> into) noexcept {
        const std::size_t count = std::min(into.size(), size());
        std::memcpy(into.data(), bytes_.data() + read_, count);
        read_ += count;
        return count;
    }
    /// Moves all bytes into `into`, which is empty and gives its memory in exchange.
    void take(std::string& into) noexcept {
        drop_read();
        std::swap(bytes_, into);
    }

   private:
    void drop_read() noexcept { bytes_.erase(0, std::exchange(read_, 0)); }

    std::string bytes_;
    std::size_t read_ = 0;  // bytes at the front that were read
};

}  // namespace weir::upstream
