#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace weir::cli {

using Row = std::vector<std::string>;

/// Rows as text: columns two spaces apart, each as wide as `widths` has it, texts that are longer
/// wrapped at their spaces, an empty line between rows. Each row has as many cells as there are
/// widths; no word is cut.
std::string table(std::span<const Row> rows, std::span<const std::size_t> widths);

}  // namespace weir::cli
