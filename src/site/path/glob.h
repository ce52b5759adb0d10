#pragma once

#include <string>
#include <string_view>

namespace weir::site {

/// `*`: any characters but `/`; `**`: any at all; `?`: one that is not `/`.
bool glob_matches(std::string_view pattern, std::string_view text) noexcept;

/// True if a pattern of the options matches `path` ("/" first). A pattern with a leading "/" is
/// compared with the whole path, one without with its last part. An empty pattern matches any path.
bool path_matches(std::string_view pattern, std::string_view path) noexcept;

/// False for a pattern that could never match: it has a "/" inside and none in front.
bool is_pattern(std::string_view text) noexcept;
/// The error message for such a pattern.
std::string not_a_pattern(std::string_view text);

}  // namespace weir::site
