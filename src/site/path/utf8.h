#pragma once

#include <cstddef>
#include <string_view>

namespace weir::site {

/// The length of the character that `text` begins with; 0 where it begins with none.
std::size_t utf8_character_size(std::string_view text) noexcept;

/// `cut` where `text` is the beginning of something longer: its last character may lack bytes.
bool is_utf8(std::string_view text, bool cut) noexcept;

}  // namespace weir::site
