#pragma once

#include <functional>
#include <string_view>

#include "cli/option/no_options.h"

namespace weir::cli {

/// Writes all of the text to standard output. Returns an exit code: if standard output fails, the
/// command has failed.
int say(std::string_view text);
/// Writes to standard output what a server says beside its work. Waits half a second at most for
/// the reader; then the rest is dropped.
void announce(std::string_view text);
/// Writes a line that is not worth waiting for. If the write would block, the line is dropped.
void say_if_taken(std::string_view line);
/// Writes to standard error. Waits half a second at most for the reader. If that fails, nothing can
/// report it.
void say_error(std::string_view text);
/// What say_error() writes goes to `other` as well from now on; empty: no longer.
void copy_errors_to(std::function<void(std::string_view text)> other);
/// True if standard output may have colours: it is a terminal that supports them, and NO_COLOR is
/// not set (no-color.org).
bool takes_colour();
/// Writes one line that says why a command failed. Returns the exit code for that.
int fail(std::string_view command, std::string_view message);
/// Writes the help to standard output, or what is wrong with the options to standard error. Returns
/// an exit code.
int tell(const NoOptions& why);

}  // namespace weir::cli
