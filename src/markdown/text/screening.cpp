#include "markdown/text/screening.h"

#include <algorithm>
#include <cstddef>

namespace weir::markdown {

namespace {

/// The levels that the beginning of one line opens or continues. A level of a list takes at least
/// two columns of space on the lines below its first (CommonMark 5.2).
constexpr std::size_t levels_max = 64;
constexpr std::size_t word_bytes_max = 512;
constexpr std::size_t columns_max = 64;
constexpr std::size_t images_max = 500;

/// The bytes of the mark of a list or a quote at the beginning of `text`; 0: there is none
/// (CommonMark 5.1 and 5.2).
std::size_t mark_bytes(std::string_view text) noexcept {
    if (text.starts_with('>')) return 1;
    std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view ends = end == 0 ? "-*+" : ".)";
    if (end == text.size() || !ends.contains(text[end])) return 0;
    ++end;
    return end == text.size() || text[end] == ' ' || text[end] == '\t' ? end : 0;
}

std::size_t levels_of(std::string_view line) noexcept {
    constexpr std::size_t columns_of_tab = 4;
    std::size_t marks = 0;
    std::size_t columns = 0;
    while (!line.empty()) {
        const bool is_space = line.front() == ' ' || line.front() == '\t';
        const std::size_t bytes = is_space ? 1 : mark_bytes(line);
        if (bytes == 0) break;
        if (is_space)
            columns += line.front() == ' ' ? 1 : columns_of_tab;
        else
            ++marks;
        line.remove_prefix(bytes);
    }
    return marks + columns / 2;
}

bool has_long_word(std::string_view line) noexcept {
    while (line.size() > word_bytes_max) {
        const std::size_t space = line.substr(0, word_bytes_max + 1).find_last_of(" \t");
        if (space == line.npos) return true;
        line.remove_prefix(space + 1);
    }
    return false;
}

bool has_many_columns(std::string_view line) noexcept {
    return static_cast<std::size_t>(std::ranges::count(line, '|')) > columns_max;
}

std::size_t images_of(std::string_view line) noexcept {
    std::size_t images = 0;
    for (std::size_t at = line.find("!["); at != line.npos; at = line.find("![", at + 1)) ++images;
    return images;
}

}  // namespace

Screening screened(std::string_view markdown) noexcept {
    Screening screening;
    std::size_t images = 0;  // since the last empty line
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find_first_of("\r\n"), markdown.size());
        const std::string_view line = markdown.substr(0, end);
        screening.is_deep = screening.is_deep || levels_of(line) > levels_max;
        screening.has_long_words = screening.has_long_words || has_long_word(line);
        screening.has_wide_lines = screening.has_wide_lines || has_many_columns(line);
        images = line.empty() ? 0 : images + images_of(line);
        screening.has_many_images = screening.has_many_images || images > images_max;
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
    }
    return screening;
}

}  // namespace weir::markdown
