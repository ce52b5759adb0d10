#pragma once

#include <string>
#include <string_view>

namespace weir::tests::plain {

/// The size of the character at the start of `text`, by its code point (Unicode 3.9): no overlong
/// form, no surrogate, none past U+10FFFF. 0 if it is malformed or cut.
std::size_t character_size(std::string_view text);
bool is_utf8(std::string_view text);
void append_utf8(std::string& text, char32_t character);

/// Each malformed byte becomes U+FFFD.
std::string as_utf8(std::string_view bytes);
/// Each byte becomes the character with its number.
std::string latin1_as_utf8(std::string_view bytes);

/// Resolves "&amp;", "&lt;", "&gt;", "&quot;" and "&#39;".
std::string html_unescaped(std::string_view text);
/// "\xFF" becomes the byte, "\u{202E}" the character. What has another form stays.
std::string resolved_escapes(std::string_view text);
/// The tags of a page in order, without the values of their attributes: what no text may change.
std::string html_skeleton(std::string_view page);

}  // namespace weir::tests::plain
