#pragma once

#include <optional>
#include <string_view>

#include "cli/config/document.h"

namespace weir::cli::config {

/// Returns the place of the first dot outside texts and comments that exceeds dots_max. toml++
/// limits the depth of brackets, but not the parts of a key (a.b.c): each part is a table in a
/// table, and one more call on the stack.
std::optional<Place> too_deep(std::string_view text);

}  // namespace weir::cli::config
