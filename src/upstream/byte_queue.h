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

    void append(std::string_view bytes) {
        if (is_empty()) clear();
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
        if (read_ != 0) bytes_.erase(0, read_);
        read_ = 0;
        std::swap(bytes_, into);
    }
    void clear() noexcept {
        bytes_.clear();
        read_ = 0;
    }

   private:
    std::string bytes_;
    std::size_t read_ = 0;  // bytes at the front that were read
};

}  // namespace weir::upstream
