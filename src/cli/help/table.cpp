#include "cli/help/table.h"

#include <algorithm>
#include <string_view>

namespace weir::cli {
namespace {

/// Removes the words of one line from the front of `text`, at least one, and returns them.
std::string_view take_line(std::string_view& text, std::size_t width) {
    auto end = text.size() <= width ? text.size() : text.rfind(' ', width);
    if (end == text.npos) end = std::min(text.find(' '), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// Renders one line of a row: the next line of each cell.
std::string take_lines(std::vector<std::string_view>& cells, std::span<const std::size_t> widths) {
    std::string text;
    std::size_t begin = 0;
    for (std::size_t column = 0; column < cells.size(); ++column) {
        if (!cells[column].empty()) {
            text.append(begin - std::min(begin, text.size()), ' ');
            text += take_line(cells[column], widths[column]);
        }
        begin += widths[column] + 2;
    }
    return text += '\n';
}

}  // namespace

std::string table(std::span<const Row> rows, std::span<const std::size_t> widths) {
    std::string text;
    for (const Row& row : rows) {
        if (!text.empty()) text += '\n';
        std::vector<std::string_view> cells{row.begin(), row.end()};
        while (!std::ranges::all_of(cells, &std::string_view::empty))
            text += take_lines(cells, widths);
    }
    return text;
}

}  // namespace weir::cli
