#pragma once

#include <cstddef>
#include <string_view>

namespace weir::site {

/// The length of the character at the beginning of `text`; 0 if there is none.
std::size_t utf8_character_size(std::string_view text) noexcept;

/// `cut`: `text` is the beginning of something longer, and its last character may lack bytes.
bool is_utf8(std::string_view text, bool cut) noexcept;

}  // namespace weir::site
