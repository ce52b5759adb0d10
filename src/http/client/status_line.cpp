#include "http/client/status_line.h"

#include <algorithm>

namespace weir::http::client {
namespace {

constexpr std::string_view version = "HTTP/1.";
constexpr std::size_t code_at = version.size() + 2;  // behind the minor version and a space
constexpr std::size_t reason_at = code_at + 4;

constexpr bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

/// reason-phrase = 1*( HTAB / SP / VCHAR / obs-text )
bool is_reason(std::string_view text) noexcept {
    return std::ranges::all_of(
        text, [](unsigned char byte) { return byte == '\t' || (byte >= 0x20 && byte != 0x7f); });
}

/// HTTP-version of another major version: HTTP/DIGIT.DIGIT
bool is_foreign(std::string_view line) noexcept {
    return line.size() >= 8 && line.starts_with("HTTP/") && is_digit(line[5]) && line[5] != '1' &&
           line[6] == '.' && is_digit(line[7]);
}

/// `line` has no line end. Some servers leave out the space before an empty reason.
StatusLine::Result read_whole(std::string_view line, StatusLine& out) noexcept {
    if (is_foreign(line)) return StatusLine::Result::unsupported_version;
    if (line.size() < code_at + 3 || !line.starts_with(version) ||
        !is_digit(line[version.size()]) || line[version.size() + 1] != ' ')
        return StatusLine::Result::malformed;
    unsigned code = 0;
    for (const char digit : line.substr(code_at, 3)) {
        if (!is_digit(digit)) return StatusLine::Result::malformed;
        code = code * 10 + static_cast<unsigned>(digit - '0');
    }
    const std::string_view reason = line.substr(std::min(line.size(), reason_at));
    const bool has_space = line.size() < reason_at || line[reason_at - 1] == ' ';
    // RFC 9110 15: a code outside of 100 to 599 is invalid.
    if (code < 100 || code > 599 || !has_space || !is_reason(reason))
        return StatusLine::Result::malformed;
    out.minor_version = static_cast<std::uint8_t>(line[version.size()] - '0');
    out.code = static_cast<std::uint16_t>(code);
    return StatusLine::Result::complete;
}

}  // namespace

StatusLine::Result StatusLine::read(std::string_view bytes, std::uint32_t bytes_max,
                                    StatusLine& line) noexcept {
    const std::string_view expected = bytes.substr(0, version.size());
    const auto end = bytes.substr(0, bytes_max).find('\n');
    if (end == bytes.npos) {
        // Bytes of another protocol are told at once, not when they happen to have a line end.
        const bool may_be = version.starts_with(expected) ||
                            std::string_view{"HTTP/"}.starts_with(bytes.substr(0, 5));
        if (!may_be) return Result::malformed;
        return bytes.size() >= bytes_max ? Result::too_long : Result::more;
    }
    if (end == 0 || bytes[end - 1] != '\r') return Result::malformed;
    line.size = static_cast<std::uint32_t>(end + 1);
    return read_whole(bytes.substr(0, end - 1), line);
}

}  // namespace weir::http::client
