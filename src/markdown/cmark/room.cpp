#include "markdown/cmark/room.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace weir::markdown {

namespace {

constexpr std::size_t alignment = alignof(std::max_align_t);
constexpr std::size_t chunk_bytes = 64 * 1024;

/// The head before each piece.
struct alignas(std::max_align_t) Head {
    std::size_t bytes;
};

Head& head_of(void* piece) noexcept { return static_cast<Head*>(piece)[-1]; }

std::size_t rounded(std::size_t bytes) noexcept {
    return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

struct alignas(std::max_align_t) Room::Chunk {
    Chunk* next;
};

Room::~Room() {
    while (chunks_ != nullptr) {
        Chunk* const next = chunks_->next;
        std::free(chunks_);
        chunks_ = next;
    }
}

bool Room::add_chunk(std::size_t bytes) noexcept {
    const std::size_t size = sizeof(Chunk) + std::max(bytes, chunk_bytes);
    if (size > bytes_left_) return false;
    auto* const chunk = static_cast<Chunk*>(std::calloc(1, size));
    if (chunk == nullptr) return false;
    bytes_left_ -= size;
    chunk->next = chunks_;
    chunks_ = chunk;
    at_ = reinterpret_cast<char*>(chunk + 1);
    end_ = reinterpret_cast<char*>(chunk) + size;
    return true;
}

void* Room::take(std::size_t bytes) noexcept {
    if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
    const std::size_t size = sizeof(Head) + rounded(bytes);
    if (size > free_bytes() && !add_chunk(size)) return nullptr;
    auto* const head = reinterpret_cast<Head*>(at_);
    head->bytes = size - sizeof(Head);
    at_ += size;
    return head + 1;
}

/// The last piece grows in place, so a text that is written to its end is not copied each time.
void* Room::resize(void* piece, std::size_t bytes) noexcept {
    if (piece == nullptr) return take(bytes);
    Head& head = head_of(piece);
    if (bytes <= head.bytes) return piece;
    if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
    const std::size_t more = rounded(bytes) - head.bytes;
    if (static_cast<char*>(piece) + head.bytes == at_ && more <= free_bytes()) {
        head.bytes += more;
        at_ += more;
        return piece;
    }
    void* const moved = take(bytes);
    if (moved != nullptr) std::memcpy(moved, piece, head.bytes);
    return moved;
}

}  // namespace weir::markdown
