#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/option/option.h"

namespace weir::cli {

/// What somebody may have meant by a word that stands where it means nothing: "; the port is given
/// by --port 8080". Empty if nothing is known. `options` are those of the command.
std::string meant_by(std::string_view word, std::span<const Option> options);

/// Says how to write an option that begins with a dash which is not '-': word processors and web
/// pages put such dashes in place of "-" and "--". Empty for any other word.
std::string foreign_dash(std::string_view word);

}  // namespace weir::cli
