#pragma once

#include <string_view>

namespace weir::cli {

/// Writes to standard output, at once and whole. An exit code: a reader that is not told what it
/// asked for is a failure.
int say(std::string_view text);
/// The same to standard error, where nobody is left to tell of a failure.
void say_error(std::string_view text);

}  // namespace weir::cli
