#include "http/syntax/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::http {
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

TEST(Utf8, MayBeCutInsideACharacter) {
    for (const auto cut : {"a\xc3", "a\xe2\x82", "a\xf0\x9f\x98"}) {
        EXPECT_TRUE(is_utf8(cut, true)) << cut;
        EXPECT_FALSE(is_utf8(cut)) << cut;
    }
    EXPECT_FALSE(is_utf8("a\x80", true)) << "which begins no character";
    EXPECT_FALSE(is_utf8("a\xc3 bcd", true)) << "not at the end";
    for (const auto* const broken :
         {"a\xff", "a\xc2.", "a\xe0\x80", "a\xed\xa0", "a\xf4\x90", "a\xf5"})
        EXPECT_FALSE(is_utf8(broken, true)) << broken << " never becomes a character";
}

TEST(Utf8, IsWellFormed) {
    EXPECT_TRUE(is_utf8("\xf0\x9f\x98\x80\xe2\x82\xac\xc3\xbc."));
    for (const auto* const wrong : {"\xc0\xaf", "\xed\xa0\x80", "\xe0\x80\x80", "\xf5\x80\x80\x80",
                                    "\xf4\x90\x80\x80", "\xfc"})
        EXPECT_FALSE(is_utf8(wrong)) << wrong;
}

TEST(Utf8, TakesThePlaceOfOtherBytes) {
    EXPECT_EQ(as_utf8("a\xc3\xbc\xf0\x9f\x98\x80"), "a\xc3\xbc\xf0\x9f\x98\x80");
    EXPECT_EQ(as_utf8("\xffz\xe2\x82"), "\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Utf8, CountsTheBytesOfTheFirstCharacter) {
    const std::vector<std::pair<std::string_view, std::size_t>> sizes{
        {"", 0},         {"ab", 1},       {"\xc3\xbc.", 2},         {"\xe2\x82\xac.", 3},
        {"\xe2\x82", 0}, {"\x80 abc", 0}, {"\xf0\x9f\x98\x80.", 4}, {"\xed\xa0\x80", 0}};
    for (const auto& [text, size] : sizes) EXPECT_EQ(utf8_character_size(text), size) << text;
}

}  // namespace
}  // namespace weir::http
