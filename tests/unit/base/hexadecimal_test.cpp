#include "base/hexadecimal.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Hexadecimal, EachDigitHasItsValueInEitherCase) {
    for (unsigned value = 0; value < 16; ++value) {
        EXPECT_EQ(hex_value(hex_digits[value]), static_cast<int>(value));
        EXPECT_EQ(hex_value(upper_hex_digits[value]), static_cast<int>(value));
    }
}

TEST(Hexadecimal, NeighboursOfDigitsAreNone) {
    for (const char byte : {'/', ':', '@', 'G', '`', 'g', ' ', '\0', '\xff'})
        EXPECT_EQ(hex_value(byte), -1) << byte;
}

TEST(Hexadecimal, ByteIsWrittenWithTwoDigits) {
    std::string text;
    append_hex_byte(text, 0x0a);
    append_hex_byte(text, 0xfe, upper_hex_digits);
    EXPECT_EQ(text, "0aFE");
}

}  // namespace
}  // namespace weir
