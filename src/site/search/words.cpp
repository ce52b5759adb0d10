#include "site/search/words.h"

#include <algorithm>
#include <ranges>

#include "http/syntax/lower_case.h"

namespace weir::site {

Words::Words(std::string_view text) {
    for (const auto word : std::views::split(text.substr(0, bytes_max), ' '))
        if (!word.empty()) words_.push_back(http::lower_case(std::string_view{word}));
}

bool Words::are_in(std::string_view name) const noexcept {
    const auto is_same = [](char of_name, char of_word) {
        return http::lower_case(of_name) == of_word;
    };
    return std::ranges::all_of(words_, [&](const std::string& word) {
        return !std::ranges::search(name, word, is_same).empty();
    });
}

}  // namespace weir::site
