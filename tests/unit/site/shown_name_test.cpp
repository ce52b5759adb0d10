#include "site/path/shown_name.h"

#include <gtest/gtest.h>

#include "site/page/json.h"

namespace weir::site {
namespace {

TEST(ShownName, OfWhatCanBeSeenIsTheName) {
    for (const char* const name :
         {"a.txt", "  two  spaces ", "\u00e4\u4e2d\u0635", "no\u00a0break\u202fspace", "a\\b",
          "\u05d0\u05d1\u05d2.txt", "\U0001f600", "\ue000"})
        EXPECT_EQ(shown_name(name), name);
}

TEST(ShownName, WritesOutWhatMovesOrHides) {
    EXPECT_EQ(shown_name("cod\u202egnp.exe"), "cod\\u{202E}gnp.exe");
    EXPECT_EQ(shown_name("a\u2066b\u2069\u200f\u061c"), "a\\u{2066}b\\u{2069}\\u{200F}\\u{61C}");
    EXPECT_EQ(shown_name("in\u200bvoice\ufeff\u00ad\u2060"),
              "in\\u{200B}voice\\u{FEFF}\\u{AD}\\u{2060}");
    EXPECT_EQ(shown_name("a\nb\t\x1b[1m\x7f"), "a\\x0Ab\\x09\\x1B[1m\\x7F");
    EXPECT_EQ(shown_name("\u0085\u2028\u3164\u2800\U000e0041"),
              "\\u{85}\\u{2028}\\u{3164}\\u{2800}\\u{E0041}");
}

TEST(ShownName, KeepsWhatScriptsAndEmojiNeed) {
    for (const char* const name : {"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  // Persian
                                   "\U0001f468\u200d\U0001f469\u200d\U0001f467",        // a family
                                   "\u2764\ufe0f", "\U0001f469\u200d\u2764\ufe0f\u200d\U0001f469"})
        EXPECT_EQ(shown_name(name), name);
    EXPECT_EQ(shown_name("pay\u200dpal"), "pay\\u{200D}pal");
    EXPECT_EQ(shown_name("\u00e9\u200d"), "\u00e9\\u{200D}");
    EXPECT_EQ(shown_name("\u00e9\u200d\u200d\u00e9"), "\u00e9\\u{200D}\\u{200D}\u00e9");
    EXPECT_EQ(shown_name("\u2764\ufe0f\ufe0f"), "\u2764\ufe0f\\u{FE0F}");
    EXPECT_EQ(shown_name("a\ufe0f"), "a\\u{FE0F}");
}

TEST(ShownName, IsUtf8WhateverTheNameIs) {
    EXPECT_EQ(shown_name("Gr\xfc\xdf"), "Gr\\xFC\\xDF");
    EXPECT_EQ(shown_name("\xe2\x80"), "\\xE2\\x80");
    EXPECT_EQ(shown_name("\xed\xa0\x80"), "\\xED\\xA0\\x80");
}

TEST(ListingJson, EscapesWhatCannotBeSeen) {
    std::string out;
    append_json(out, "a\u202eb\x7f\U000e0041");
    EXPECT_EQ(out, "\"a\\u202eb\\u007f\\udb40\\udc41\"");
}

}  // namespace
}  // namespace weir::site
