#include "site/types/first_bytes.h"

#include <algorithm>

#include "http/syntax/utf8.h"

namespace weir::site {

namespace {

bool has_utf16_mark(std::string_view bytes) noexcept {
    using namespace std::string_view_literals;
    if (bytes.starts_with("\xff\xfe\0\0"sv)) return false;  // UTF-32, which browsers do not support
    return bytes.starts_with("\xfe\xff") || bytes.starts_with("\xff\xfe");
}

/// The binary data bytes of the MIME Sniffing Standard. No text contains them, in any encoding.
bool is_binary_byte(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\f' && c != '\r' && c != '\x1b';
}

/// Packets of 188 bytes; each begins with the sync byte (ISO/IEC 13818-1 2.4.3.2).
bool is_transport_stream(std::string_view bytes) noexcept {
    constexpr std::size_t packet = 188;
    constexpr char sync = 'G';
    return bytes.size() > 2 * packet && bytes[0] == sync && bytes[packet] == sync &&
           bytes[2 * packet] == sync;
}

}  // namespace

std::string_view media_type_of(FirstBytes first) noexcept {
    if (has_utf16_mark(first.bytes) || std::ranges::none_of(first.bytes, is_binary_byte))
        return "text/plain";
    return is_transport_stream(first.bytes) ? "video/mp2t" : "application/octet-stream";
}

bool need_first_bytes(std::string_view named) noexcept {
    return !named.contains(';') && (named.empty() || named.starts_with("text/"));
}

std::string content_type_of(std::string_view named, FirstBytes first) {
    std::string value{named.empty() ? media_type_of(first) : named};
    if (!value.starts_with("text/")) return value;
    if (has_utf16_mark(first.bytes)) return value + "; charset=utf-16";
    if (http::is_utf8(first.bytes, first.cut)) value += "; charset=utf-8";
    return value;
}

}  // namespace weir::site
