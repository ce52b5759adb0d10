#include "markdown/cmark/room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace weir::markdown {
namespace {

constexpr std::size_t megabyte = 1024 * 1024;

TEST(Room, GivesZeroedAndAlignedPieces) {
    Room room{megabyte};
    for (std::size_t bytes = 0; bytes < 300; ++bytes) {
        auto* const piece = static_cast<char*>(room.take(bytes));
        ASSERT_NE(piece, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % alignof(std::max_align_t), 0u);
        EXPECT_TRUE(std::all_of(piece, piece + bytes, [](char byte) { return byte == 0; }));
        std::memset(piece, 'x', bytes);
    }
}

TEST(Room, EndsAtItsLimit) {
    Room room{megabyte};
    EXPECT_EQ(room.take(2 * megabyte), nullptr);
    EXPECT_EQ(room.take(std::numeric_limits<std::size_t>::max()), nullptr);
    std::size_t taken = 0;
    while (room.take(1000) != nullptr) taken += 1000;
    EXPECT_GT(taken, megabyte / 2);
    EXPECT_LT(taken, megabyte);
}

TEST(Room, PiecesGrowAndKeepWhatIsInThem) {
    Room room{megabyte};
    auto* piece = static_cast<char*>(room.resize(nullptr, 4));
    std::memcpy(piece, "weir", 4);
    EXPECT_EQ(room.resize(piece, 100), piece) << "the last one grows where it is";
    EXPECT_EQ(room.resize(piece, 10), piece);
    ASSERT_NE(room.take(1), nullptr);
    auto* const moved = static_cast<char*>(room.resize(piece, 200'000));
    ASSERT_NE(moved, nullptr);
    EXPECT_NE(moved, piece);
    EXPECT_EQ((std::string_view{moved, 4}), "weir");
    EXPECT_EQ(room.resize(moved, 2 * megabyte), nullptr);
    EXPECT_EQ(room.resize(moved, std::numeric_limits<std::size_t>::max()), nullptr);
}

}  // namespace
}  // namespace weir::markdown
