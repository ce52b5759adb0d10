#pragma once

#include <cstddef>

namespace weir::markdown {

/// The memory of one rendering, up to a limit. It is freed as a whole: no piece is given back.
class Room {
   public:
    explicit Room(std::size_t bytes_max) noexcept : bytes_left_{bytes_max} {}
    ~Room();
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

    /// Zeroed memory, aligned for any object. Null if there is no more.
    void* take(std::size_t bytes) noexcept;
    /// As realloc(3). `piece` is one of take() and resize(), or null.
    void* resize(void* piece, std::size_t bytes) noexcept;

   private:
    struct Chunk;

    bool add_chunk(std::size_t bytes) noexcept;
    std::size_t free_bytes() const noexcept { return static_cast<std::size_t>(end_ - at_); }

    std::size_t bytes_left_;
    Chunk* chunks_ = nullptr;  // the latest first
    char* at_ = nullptr;       // the free part of the latest
    char* end_ = nullptr;
};

}  // namespace weir::markdown
