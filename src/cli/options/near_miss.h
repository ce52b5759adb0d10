#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// The words that somebody who wrote `word` may have meant: the nearest of those that are near.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> known);

/// "a, b or c", with " or " for `last`.
std::string enumerated(std::span<const std::string> words, std::string_view last,
                       std::string_view separator = ", ");

/// "; did you mean a, b or c?", or nothing where no known word is near.
/// `prefix` goes before each.
std::string did_you_mean(std::string_view word, std::span<const std::string> known,
                         std::string_view prefix = "");

}  // namespace weir::cli
