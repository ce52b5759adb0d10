#pragma once

#include <array>
#include <cstdint>

namespace weir::http {

/// The classes of bytes that the grammars of RFC 9110, RFC 9112 and RFC 3986 distinguish. Each byte
/// is in one class.
enum class ByteClass : std::uint8_t {
    control,  // CTL other than the next three, and DEL
    tab,
    lf,
    cr,
    space,
    quote,
    hash,
    asterisk,
    slash,
    dot,
    one,
    digit,  // the others
    colon,
    semicolon,
    equals,
    question,
    at,
    bracket,  // [ ]
    backslash,
    letter_h,  // H, T and P have classes of their own for "HTTP" in the version
    letter_t,
    letter_p,
    hex_letter,  // A to F, in either case
    letter,      // the others
    symbol,      // ! $ % & ' + - ^ _ ` | ~
    delimiter,   // ( ) , < > { }
    high,        // 0x80 and above: obs-text
    // Not bytes, but events of a chunk:
    no_data,   // the chunk's size is 0
    data_end,  // the last byte of the chunk's data was passed
    count,
};

constexpr ByteClass class_of(unsigned char byte) noexcept {
    using enum ByteClass;
    switch (byte) {
        case '\t': return tab;
        case '\n': return lf;
        case '\r': return cr;
        case ' ': return space;
        case '"': return quote;
        case '#': return hash;
        case '*': return asterisk;
        case '/': return slash;
        case '.': return dot;
        case '1': return one;
        case ':': return colon;
        case ';': return semicolon;
        case '=': return equals;
        case '?': return question;
        case '@': return at;
        case '[':
        case ']': return bracket;
        case '\\': return backslash;
        case 'H': return letter_h;
        case 'T': return letter_t;
        case 'P': return letter_p;
        case '(':
        case ')':
        case ',':
        case '<':
        case '>':
        case '{':
        case '}': return delimiter;
        default: break;
    }
    if (byte < 0x20 || byte == 0x7f) return control;
    if (byte >= 0x80) return high;
    if (byte >= '0' && byte <= '9') return digit;
    const unsigned lower = byte | 0x20u;
    if (lower >= 'a' && lower <= 'f') return hex_letter;
    if (lower >= 'a' && lower <= 'z') return letter;
    return symbol;
}

inline constexpr auto byte_classes = [] {
    std::array<ByteClass, 256> classes{};
    for (unsigned byte = 0; byte < 256; ++byte)
        classes[byte] = class_of(static_cast<unsigned char>(byte));
    return classes;
}();

/// A set of classes.
struct ByteSet {
    std::uint32_t bits = 0;

    constexpr ByteSet() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a class is a set
    constexpr ByteSet(ByteClass one) : bits{1u << static_cast<unsigned>(one)} {}
    constexpr bool has(ByteClass one) const {
        return (bits >> static_cast<unsigned>(one) & 1u) != 0;
    }
    constexpr bool has_byte(unsigned byte) const { return has(byte_classes[byte]); }

    friend constexpr ByteSet operator|(ByteSet left, ByteSet right) {
        ByteSet both;
        both.bits = left.bits | right.bits;
        return both;
    }
    friend constexpr ByteSet operator-(ByteSet left, ByteSet right) {
        ByteSet rest;
        rest.bits = left.bits & ~right.bits;
        return rest;
    }
    constexpr bool operator==(const ByteSet&) const = default;
};

constexpr ByteSet operator|(ByteClass left, ByteClass right) {
    return ByteSet{left} | ByteSet{right};
}

/// The sets that the grammar rules use, with the names of the grammars.
namespace bytes {
using enum ByteClass;
inline constexpr ByteSet white = space | tab;
inline constexpr ByteSet digits = one | digit;
inline constexpr ByteSet letters = letter_h | letter_t | letter_p | hex_letter | letter;
inline constexpr ByteSet hex = digits | hex_letter;
inline constexpr ByteSet token = letters | digits | hash | asterisk | dot | symbol;
/// VCHAR
inline constexpr ByteSet visible = token | quote | slash | colon | semicolon | equals | question |
                                   at | bracket | backslash | delimiter;
/// By RFC 3986, a client encodes `"`, `<`, `|`, `{` and the like, but browsers don't in every
/// place. These bytes separate nothing in a target, so weir accepts them. It refuses `#`, which
/// separates, and bytes that are not visible ASCII, because programs read them differently.
inline constexpr ByteSet query_bytes = visible - hash;
inline constexpr ByteSet path_bytes = query_bytes - question;
/// The bytes of uri-host and port. is_authority() then checks the details.
inline constexpr ByteSet host =
    letters | digits | dot | symbol | asterisk | semicolon | equals | delimiter | colon | bracket;
/// field-vchar and the white space between them
inline constexpr ByteSet value = visible | high | white;
/// qdtext of RFC 9110 5.6.4, and the bytes that may follow a backslash in a quoted-string
inline constexpr ByteSet quoted = value - (quote | backslash);
inline constexpr ByteSet escaped = value;
}  // namespace bytes

}  // namespace weir::http
