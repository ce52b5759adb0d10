#include "cli/option/near_miss.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "http/syntax/lower_case.h"

namespace weir::cli {
namespace {

/// Counts the letters that were inserted, left out, changed, or swapped with the next one.
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> two_before;
    std::vector<std::size_t> before(to.size() + 1);
    for (std::size_t column = 0; column <= to.size(); ++column) before[column] = column;
    for (std::size_t row = 1; row <= from.size(); ++row) {
        std::vector<std::size_t> now(to.size() + 1, row);
        for (std::size_t column = 1; column <= to.size(); ++column) {
            const bool same = from[row - 1] == to[column - 1];
            now[column] = std::min(
                {before[column] + 1, now[column - 1] + 1, before[column - 1] + (same ? 0 : 1)});
            if (row > 1 && column > 1 && from[row - 1] == to[column - 2] &&
                from[row - 2] == to[column - 1])
                now[column] = std::min(now[column], two_before[column - 2] + 1);
        }
        two_before = std::exchange(before, std::move(now));
    }
    return before.back();
}

/// The start of a longer word also counts as near.
std::size_t how_far(std::string_view word, std::string_view known) {
    constexpr std::size_t beginning_min = 3;
    const auto whole = distance(word, known);
    if (word.size() < beginning_min || known.size() <= word.size()) return whole;
    return std::min(whole, distance(word, known.substr(0, word.size())) + 1);
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> known) {
    std::size_t shortest = (word.size() + 1) / 3;  // words that differ more are other words
    std::vector<std::string> found;
    const std::string sought = http::lower_case(word);
    for (const std::string& candidate : known) {
        const auto far = how_far(sought, http::lower_case(candidate));
        if (far > shortest || candidate == word) continue;
        if (far < shortest) found.clear();
        shortest = far;
        found.push_back(candidate);
    }
    return found;
}

std::string enumerated(std::span<const std::string> words, std::string_view last,
                       std::string_view separator) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += &word == &words.back() ? last : separator;
        text += word;
    }
    return text;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known,
                         std::string_view prefix) {
    auto words = nearest(word, known);
    for (std::string& one : words) one.insert(0, prefix);
    return words.empty() ? "" : "; did you mean " + enumerated(words, " or ") + '?';
}

}  // namespace weir::cli
