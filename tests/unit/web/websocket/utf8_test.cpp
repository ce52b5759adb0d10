#include "web/websocket/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::web::ws {
namespace {

/// As RFC 3629 3 writes it.
std::string encoded(std::uint32_t point) {
    std::string out;
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xc0 | point >> 6);
        put(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
        put(0xe0 | point >> 12);
        put(0x80 | (point >> 6 & 0x3f));
        put(0x80 | (point & 0x3f));
    } else {
        put(0xf0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3f));
        put(0x80 | (point >> 6 & 0x3f));
        put(0x80 | (point & 0x3f));
    }
    return out;
}

TEST(Utf8, HasEveryCharacterAndNoSurrogate) {
    for (std::uint32_t point = 0; point < 0x140000; ++point) {
        const bool is_character = point < 0xd800 || (point > 0xdfff && point < 0x110000);
        ASSERT_EQ(is_utf8(encoded(point)), is_character) << point;
    }
}

TEST(Utf8, HasNoOverlongFormsAndNoOtherBytes) {
    for (const std::string_view bytes :
         {"\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80",
          "\xf0\x8f\xbf\xbf", "\x80", "\xbf", "\xf8\x88\x80\x80\x80", "\xff", "a\xc3", "\xe2\x82",
          "\xc3(", "\xe2(\xa1", "\xf0\x90(\xbc"})
        EXPECT_FALSE(is_utf8(bytes)) << bytes;
}

TEST(Utf8, IsTheSameForEverySplit) {
    const std::string text =
        "Hello, \u00b5@\u00df\u00f6\u00e4 \u20ac and \U0001d11e, eight by eight";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        Utf8 utf8;
        EXPECT_TRUE(utf8.take(text.substr(0, cut)));
        EXPECT_TRUE(utf8.take(text.substr(cut)));
        EXPECT_TRUE(utf8.is_whole());
    }
}

TEST(Utf8, FailsAtTheFirstByteThatCannotBe) {
    Utf8 utf8;
    EXPECT_TRUE(utf8.take("12345678\xf4"));
    EXPECT_FALSE(utf8.is_whole());
    EXPECT_FALSE(utf8.take("\x90"));
}

}  // namespace
}  // namespace weir::web::ws
