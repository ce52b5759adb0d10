#pragma once

#include <string>
#include <string_view>

namespace weir::site {

/// `*` matches any characters except `/`; `**` any characters; `?` one character except `/`.
/// Takes time in proportion to the product of the two sizes.
bool glob_matches(std::string_view pattern, std::string_view text);

/// True if a pattern of the options matches `path`, which starts with "/". A pattern with a leading
/// "/" is compared with the whole path, any other pattern with the last segment. An empty pattern
/// matches any path.
bool path_matches(std::string_view pattern, std::string_view path);

/// Makes a pattern for tree_has(): "/a", "/a/" and "/a/**" are the same. Letters A to Z become
/// lower case, because a file system may not tell the cases apart. Empty: matches everything.
std::string tree_pattern(std::string_view pattern);
/// True if such a pattern matches `path`, or the path of a folder above it. The letters of `path`
/// must be in lower case.
bool tree_has(std::string_view pattern, std::string_view path);

/// False for a pattern that can never match: it contains "/" but does not begin with one.
bool is_pattern(std::string_view text) noexcept;
/// The error message for such a pattern.
std::string not_a_pattern(std::string_view text);

}  // namespace weir::site
