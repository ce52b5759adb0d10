#include "fuzz/plain/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::tests::plain {
namespace {

struct Form {
    unsigned mask, lead, smallest;
    std::size_t size;
};
constexpr std::array forms = {Form{0x80, 0x00, 0, 1}, Form{0xe0, 0xc0, 0x80, 2},
                              Form{0xf0, 0xe0, 0x800, 3}, Form{0xf8, 0xf0, 0x10000, 4}};

/// The code point that `size` bytes stand for, or one that there is not.
char32_t code_point(std::string_view bytes, const Form& form) {
    char32_t value = static_cast<unsigned char>(bytes[0]) & ~form.mask;
    for (const char byte : bytes.substr(1)) {
        if ((static_cast<unsigned char>(byte) & 0xc0u) != 0x80) return 0x110000;
        value = value << 6u | (static_cast<unsigned char>(byte) & 0x3fu);
    }
    return value;
}

}  // namespace

std::size_t character_size(std::string_view text) {
    if (text.empty()) return 0;
    for (const Form& form : forms) {
        if ((static_cast<unsigned char>(text[0]) & form.mask) != form.lead) continue;
        if (text.size() < form.size) return 0;
        const char32_t value = code_point(text.substr(0, form.size), form);
        const bool surrogate = value >= 0xd800 && value < 0xe000;
        return value >= form.smallest && value < 0x110000 && !surrogate ? form.size : 0;
    }
    return 0;
}

bool is_utf8(std::string_view text) { return as_utf8(text) == text; }

void append_utf8(std::string& text, char32_t character) {
    const auto& form = *std::find_if(forms.rbegin(), forms.rend(),
                                     [&](const Form& each) { return character >= each.smallest; });
    for (std::size_t i = 0; i < form.size; ++i) {
        const char32_t bits = character >> 6 * (form.size - 1 - i);
        text += static_cast<char>(i == 0 ? form.lead | bits : 0x80u | (bits & 0x3fu));
    }
}

std::string as_utf8(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        const std::size_t size = character_size(bytes);
        text += size == 0 ? std::string_view{"\xef\xbf\xbd"} : bytes.substr(0, size);
        bytes.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return text;
}

std::string latin1_as_utf8(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) append_utf8(text, static_cast<unsigned char>(byte));
    return text;
}

std::string html_unescaped(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, char>, 5> references{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
    std::string plain;
    while (!text.empty()) {
        const auto* const found = std::ranges::find_if(
            references, [&](const auto& each) { return text.starts_with(each.first); });
        const bool known = found != references.end();
        plain += known ? found->second : text[0];
        text.remove_prefix(known ? found->first.size() : 1);
    }
    return plain;
}

std::string resolved_escapes(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto value_of = [&](std::string_view number) {
        char32_t value = 0;
        for (const char digit : number)
            value = value * 16 + static_cast<char32_t>(digits.find(digit));
        return value;
    };
    std::string plain;
    while (!text.empty()) {
        const bool is_byte = text.starts_with("\\x");
        const bool is_character = text.starts_with("\\u{");
        const std::size_t begin = is_byte ? 2 : 3;
        const std::size_t end = is_byte ? 4 : std::min(text.find('}'), text.size());
        const std::string_view number = text.substr(std::min(begin, text.size()), end - begin);
        const bool is_number = number.find_first_not_of(digits) == number.npos;
        if (is_byte && number.size() == 2 && is_number) {
            plain += static_cast<char>(value_of(number));
        } else if (is_character && !number.empty() && number.size() <= 5 && is_number) {
            append_utf8(plain, value_of(number));
        } else {
            plain += text[0];
            text.remove_prefix(1);
            continue;
        }
        text.remove_prefix(is_byte ? end : std::min(end + 1, text.size()));
    }
    return plain;
}

std::string html_skeleton(std::string_view page) {
    std::string skeleton;
    char quote = 0;
    bool in_tag = false;
    for (const char c : page) {
        if (!in_tag && c == '<') in_tag = true;
        if (!in_tag) continue;
        const bool is_quote = c == '"' || c == '\'';
        if (quote == 0 || c == quote) skeleton += c;
        if (quote == 0 && c == '>') in_tag = false;
        if (is_quote && quote == 0)
            quote = c;
        else if (c == quote)
            quote = 0;
    }
    return skeleton;
}

}  // namespace weir::tests::plain
