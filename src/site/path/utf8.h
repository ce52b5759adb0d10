#pragma once

#include <cstddef>
#include <string_view>

namespace weir::site {

/// The length in bytes of the first character of `text`; 0 if it is not well-formed.
std::size_t utf8_character_size(std::string_view text) noexcept;

/// `cut` says that `text` is the beginning of a longer text: its last character may be incomplete.
bool is_utf8(std::string_view text, bool cut) noexcept;

}  // namespace weir::site
