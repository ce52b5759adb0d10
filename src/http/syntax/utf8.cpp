#include "http/syntax/utf8.h"

#include <cstddef>
#include <cstring>

namespace weir::http {
namespace {

/// Returns how many bytes at the start are US-ASCII, in steps of eight.
std::size_t ascii_size(std::string_view bytes) noexcept {
    constexpr std::uint64_t high_bits = 0x8080'8080'8080'8080;
    std::size_t size = 0;
    for (; size + sizeof high_bits <= bytes.size(); size += sizeof high_bits) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + size, sizeof word);
        if ((word & high_bits) != 0) break;
    }
    return size;
}

}  // namespace

/// RFC 3629 4
bool Utf8::begin(unsigned char byte) noexcept {
    low_ = 0x80;
    high_ = 0xbf;
    if (byte < 0x80) return true;
    if (byte < 0xc2 || byte > 0xf4) return false;
    due_ = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    if (byte == 0xe0) low_ = 0xa0;   // overlong
    if (byte == 0xed) high_ = 0x9f;  // surrogates
    if (byte == 0xf0) low_ = 0x90;   // overlong
    if (byte == 0xf4) high_ = 0x8f;  // past U+10FFFF
    return true;
}

bool Utf8::take(std::string_view bytes) noexcept {
    while (!bytes.empty()) {
        if (due_ == 0) bytes.remove_prefix(ascii_size(bytes));
        if (bytes.empty()) break;
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        if (due_ == 0) {
            if (!begin(byte)) return false;
            continue;
        }
        if (byte < low_ || byte > high_) return false;
        --due_;
        low_ = 0x80;
        high_ = 0xbf;
    }
    return true;
}

std::string as_utf8(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = utf8_character_size(text);
        out += size == 0 ? "\xef\xbf\xbd" : text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
    }
    return out;
}

}  // namespace weir::http
