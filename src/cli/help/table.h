#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace weir::cli {

using Row = std::vector<std::string>;

/// Renders rows as text. Columns have two spaces between them, and the widths in `widths`. Longer
/// texts wrap at spaces, so no word is cut. An empty line separates rows. Each row has as many
/// cells as there are widths.
std::string table(std::span<const Row> rows, std::span<const std::size_t> widths);

}  // namespace weir::cli
