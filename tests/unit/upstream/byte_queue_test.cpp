#include "upstream/byte_queue.h"

#include <gtest/gtest.h>

#include <string>

#include "support/pattern.h"

namespace weir::upstream {
namespace {

using tests::pattern;

/// Reads one piece, and checks that it is that part of the pattern.
void read_piece(ByteQueue& queue, std::size_t from, std::size_t size) {
    std::string piece(size, '\0');
    ASSERT_EQ(queue.read(piece), size);
    ASSERT_EQ(piece, pattern(from, size));
}

TEST(ByteQueue, GivesWhatItGot) {
    ByteQueue queue;
    queue.append(pattern(0, 100));
    read_piece(queue, 0, 60);
    queue.append(pattern(100, 50));
    std::string rest;
    queue.take(rest);
    EXPECT_EQ(rest, pattern(60, 90));
    EXPECT_TRUE(queue.is_empty());
    queue.append("next");
    EXPECT_EQ(queue.size(), 4U);
}

TEST(ByteQueue, ForgetsWhatWasReadAlthoughItIsNeverEmpty) {
    constexpr std::size_t written_at_once = 16 * 1024;
    constexpr std::size_t read_at_once = 5000;
    constexpr std::size_t much = 100 * ByteQueue::bytes_max;
    ByteQueue queue;
    std::size_t written = 0;
    std::size_t read = 0;
    while (written < much) {
        for (; !queue.is_full(); written += written_at_once)
            queue.append(pattern(written, written_at_once));
        for (; queue.is_full(); read += read_at_once) read_piece(queue, read, read_at_once);
    }
    std::string memory;
    queue.take(memory);
    EXPECT_EQ(memory, pattern(read, written - read));
    EXPECT_LE(memory.capacity(), 4 * ByteQueue::bytes_max);
}

}  // namespace
}  // namespace weir::upstream
