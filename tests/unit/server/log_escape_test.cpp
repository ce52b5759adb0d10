#include "server/log/line/log_escape.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace weir::server {
namespace {

std::string escaped(std::string_view text, Escape escape) {
    std::string out;
    append_escaped(out, text, escape);
    return out;
}

struct Case {
    std::string_view text;
    std::string_view hexadecimal;
    std::string_view json;
};

using namespace std::string_view_literals;

constexpr Case cases[]{
    {"", "", ""},
    {"/index.html?a=b&c=%20 ~", "/index.html?a=b&c=%20 ~", "/index.html?a=b&c=%20 ~"},
    {"a\r\nb", R"(a\x0d\x0ab)", R"(a\u000d\u000ab)"},
    {"\"", R"(\x22)", R"(\u0022)"},
    {"\\", R"(\x5c)", R"(\u005c)"},
    {R"(\x22)", R"(\x5cx22)", R"(\u005cx22)"},
    {"\0\t\x1b\x7f"sv, R"(\x00\x09\x1b\x7f)", R"(\u0000\u0009\u001b\u007f)"},
    {"\xc3\xa9", R"(\xc3\xa9)", R"(\u00c3\u00a9)"},
    {"\xff\x80", R"(\xff\x80)", R"(\u00ff\u0080)"},
    {"\xe2\x80\xa8", R"(\xe2\x80\xa8)", R"(\u00e2\u0080\u00a8)"},  // some programs treat U+2028 as
                                                                   // the end of a line
    {"end\n", R"(end\x0a)", R"(end\u000a)"},
};

TEST(LogEscape, WritesBytesThatCouldForgeALineAsNumbers) {
    for (const Case& example : cases) {
        EXPECT_EQ(escaped(example.text, Escape::hexadecimal), example.hexadecimal);
        EXPECT_EQ(escaped(example.text, Escape::json), example.json);
    }
}

int hexadecimal_value(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

/// Does what a reader of the log does; `digits_at` is the position of the two digits after a
/// backslash.
std::string unescaped(std::string_view text, std::size_t digits_at) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\') {
            out += text[at];
            continue;
        }
        const int high = hexadecimal_value(text[at + digits_at]);
        const int low = hexadecimal_value(text[at + digits_at + 1]);
        out += static_cast<char>(high * 16 + low);
        at += digits_at + 1;
    }
    return out;
}

TEST(LogEscape, LosesNoByteAndLetsNoneThroughThatMatters) {
    std::mt19937 random{20261120};
    std::uniform_int_distribution<int> byte{0, 255};
    for (std::size_t size = 0; size < 600; ++size) {
        std::string text(size, '\0');
        for (char& character : text) character = static_cast<char>(byte(random));
        for (const auto& [escape, digits_at] :
             {std::pair{Escape::hexadecimal, 2}, std::pair{Escape::json, 4}}) {
            const std::string written = escaped(text, escape);
            EXPECT_EQ(unescaped(written, static_cast<std::size_t>(digits_at)), text);
            for (const char character : written) {
                EXPECT_GE(character, ' ');
                EXPECT_LT(character, '\x7f');
                EXPECT_NE(character, '"');
            }
        }
    }
}

}  // namespace
}  // namespace weir::server
