#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/option/option.h"

namespace weir::cli {

/// Returns advice for a word in a place where it has no meaning: "; the port is given by --port
/// 8080". Empty if there is none. `options` are the options of the command.
std::string meant_by(std::string_view word, std::span<const Option> options);

/// Says how to write an option that begins with a dash which is not '-': word processors and web
/// pages put such dashes in place of "-" and "--". Empty for any other word.
std::string foreign_dash(std::string_view word);

}  // namespace weir::cli
