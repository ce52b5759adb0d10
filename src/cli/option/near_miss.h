#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// The known words that are most similar to `word`, in upper or lower case; empty if none is.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> known);

/// Returns "a, b or c" if `last` is " or ".
std::string enumerated(std::span<const std::string> words, std::string_view last,
                       std::string_view separator = ", ");

/// Returns "; did you mean a, b or c?", or an empty string if no known word is near. `prefix` goes
/// before each word.
std::string did_you_mean(std::string_view word, std::span<const std::string> known,
                         std::string_view prefix = "");

}  // namespace weir::cli
