#pragma once

#include <functional>
#include <string_view>

#include "cli/option/no_options.h"

namespace weir::cli {

/// Writes all of the text to standard output. Returns an exit code: if standard output fails, the
/// command has failed.
int say(std::string_view text);
/// Writes messages of a server to standard output. Waits half a second at most for the reader; then
/// the rest is dropped.
void announce(std::string_view text);
/// Writes a line without waiting: if the write would block, the line is dropped.
void say_if_taken(std::string_view line);
/// Writes to standard error. Waits half a second at most for the reader. If that fails, nothing can
/// report it.
void say_error(std::string_view text);
/// From now on, passes the texts of say_error() to `other` as well; empty: no longer.
void copy_errors_to(std::function<void(std::string_view text)> other);
/// True if standard output may have colours: it is a terminal that supports them, and NO_COLOR is
/// not set (no-color.org).
bool takes_colour();
/// Writes one line with the reason why a command failed. Returns the exit code of a failure.
int fail(std::string_view command, std::string_view message);
/// Writes the help to standard output, or the fault of the options to standard error. Returns an
/// exit code.
int tell(const NoOptions& why);

}  // namespace weir::cli
