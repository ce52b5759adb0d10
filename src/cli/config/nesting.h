#pragma once

#include <optional>
#include <string_view>

#include "cli/config/document.h"

namespace weir::cli::config {

/// The place of the first dot outside texts and comments that is one too many. toml++ limits the
/// brackets in brackets, but not the parts of a key (a.b.c): each is a table in a table, and one
/// more call on the stack.
std::optional<Place> too_deep(std::string_view text);

}  // namespace weir::cli::config
