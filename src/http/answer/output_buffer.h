#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

namespace weir::http {

/// Rendered bytes that wait to be sent, in one contiguous block. A buffer serves many responses: it
/// allocates memory only until it has the size that the traffic needs.
class OutputBuffer {
   public:
    std::string_view unsent() const noexcept { return {data_.get() + sent_, size_ - sent_}; }
    bool empty() const noexcept { return sent_ == size_; }
    std::size_t size() const noexcept { return size_ - sent_; }
    std::size_t capacity() const noexcept { return capacity_; }

    /// Returns memory for up to `bytes` bytes; commit() says how many were written.
    char* room(std::size_t bytes) {
        if (capacity_ - size_ < bytes) grow(bytes);
        return data_.get() + size_;
    }
    void commit(std::size_t bytes) noexcept { size_ += bytes; }
    void append(std::string_view bytes) {
        // Unlike memcpy, std::copy allows a null pointer.
        std::copy(bytes.begin(), bytes.end(), room(bytes.size()));
        commit(bytes.size());
    }

    void sent(std::size_t bytes) noexcept {
        sent_ += bytes;
        if (sent_ == size_) clear();
    }
    void clear() noexcept { sent_ = size_ = 0; }

   private:
    void grow(std::size_t bytes) {
        const std::size_t wanted = std::max({size_ + bytes, 2 * capacity_, std::size_t{4096}});
        auto larger = std::make_unique_for_overwrite<char[]>(wanted);
        std::copy_n(data_.get(), size_, larger.get());
        data_ = std::move(larger);
        capacity_ = wanted;
    }

    std::unique_ptr<char[]> data_;
    std::size_t size_ = 0;
    std::size_t sent_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace weir::http
