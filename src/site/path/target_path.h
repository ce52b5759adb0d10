#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "weir/http/status.h"

namespace weir::site {

/// Turns the path of a request-target into the path for looking up files: decoded once, without
/// `.`, `..` and empty segments. It starts with `/`, and keeps a `/` at the end.
///
/// Errors:
/// - 400 for a malformed escape ("%", "%4x"), and for NUL, which no path can contain;
/// - 404 for an encoded slash: no file name contains one, and a decoded one could bypass the path
///   checks of a proxy in front;
/// - 404 for `..` beyond the root.
///
/// A backslash is an ordinary character. "%2e" is a dot (RFC 3986 6.2.2.2).
///
/// `buffer` must be at least as long as `target`; the result lies in it.
std::expected<std::string_view, http::Status> target_path(std::string_view target,
                                                          std::span<char> buffer) noexcept;

/// As target_path(), with the result in a string of its own.
std::expected<std::string, http::Status> decoded_path(std::string_view target);

/// The path for rules that add fields to responses of any kind: decoded, or as it was sent if that
/// fails. "/" for a target that has no path.
std::string path_for_fields(std::string_view target);

/// True if a segment of the path starts with a dot; /.well-known does not count (RFC 8615).
bool is_hidden(std::string_view path) noexcept;

/// Appends `path`, and escapes every character with a special meaning in a URI or in HTML.
void append_encoded(std::string& out, std::string_view path);

}  // namespace weir::site
