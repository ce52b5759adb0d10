#pragma once

#include <string>
#include <string_view>

namespace weir::site {

/// A name as people can read it, in UTF-8. Bytes and characters that would be invisible, or would
/// move others, are escaped: "\xFF" for a byte that is not UTF-8 and for an ASCII control,
/// "\u{202E}" for any other character. Joiners and variation selectors stay where emoji and scripts
/// need them.
std::string shown_name(std::string_view name);

/// True for a character that is invisible, or that changes the order of others: controls, and the
/// default-ignorable characters of Unicode (UAX #44).
bool is_invisible(char32_t character) noexcept;

/// The character at the start of `text`, which is well-formed.
char32_t first_character(std::string_view text) noexcept;

}  // namespace weir::site
