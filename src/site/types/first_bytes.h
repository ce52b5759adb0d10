#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::site {

/// The beginning of a file, used if the file's name does not tell its type.
struct FirstBytes {
    std::string_view bytes;
    bool cut = false;  // the file is longer
};

/// The number of bytes that media_type_of() needs of a file.
inline constexpr std::size_t first_bytes_max = 8192;

/// Returns text/plain for text, but never a type that a browser would run or render;
/// application/octet-stream for anything else. An MPEG transport stream is video/mp2t, because its
/// extension ".ts" is also that of TypeScript.
std::string_view media_type_of(FirstBytes first) noexcept;

/// True if content_type_of() needs the first bytes of a file for this type by its name.
bool need_first_bytes(std::string_view named) noexcept;

/// The value of Content-Type for a type by the file's name, which is empty if that tells none. Text
/// gets a charset if it is UTF-8, or if it begins with the byte
/// order mark of UTF-16. Other text gets none, so that the browser detects its encoding.
std::string content_type_of(std::string_view named, FirstBytes first);

}  // namespace weir::site
