#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::site {

/// The beginning of a file, for a file whose name doesn't tell its type.
struct FirstBytes {
    std::string_view bytes;
    bool cut = false;  // the file has more
};

/// How many bytes are looked at.
inline constexpr std::size_t first_bytes_max = 8192;

/// text/plain for text, never a type that a browser would run or render; application/octet-stream
/// for anything else. An MPEG transport stream is video/mp2t: its name ends in ".ts", like that of a
/// TypeScript file.
std::string_view media_type_of(FirstBytes first) noexcept;

/// The value of Content-Type. Text gets a charset if it is UTF-8, or begins with the byte order mark
/// of UTF-16. Other text gets none, so that a browser finds out itself.
std::string content_type_of(std::string_view media_type, FirstBytes first);

}  // namespace weir::site
