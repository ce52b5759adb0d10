#include "archive/crc32.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::archive {
namespace {

std::uint32_t crc_of(std::string_view bytes) {
    Crc32 crc;
    crc.add(bytes);
    return crc.value();
}

TEST(Crc32, IsThatOfZip) {
    EXPECT_EQ(crc_of(""), 0u);
    EXPECT_EQ(crc_of("a"), 0xe8b7be43u);
    EXPECT_EQ(crc_of("123456789"), 0xcbf43926u);
    EXPECT_EQ(crc_of("The quick brown fox jumps over the lazy dog"), 0x414fa339u);
}

TEST(Crc32, IsTheSameInPieces) {
    std::string bytes;
    for (int i = 0; i < 100; ++i) bytes += static_cast<char>(i * 37);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        Crc32 crc;
        crc.add(std::string_view{bytes}.substr(0, cut));
        crc.add(std::string_view{bytes}.substr(cut));
        EXPECT_EQ(crc.value(), crc_of(bytes)) << cut;
    }
}

}  // namespace
}  // namespace weir::archive
