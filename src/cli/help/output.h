#pragma once

#include <string_view>

#include "cli/options/no_options.h"

namespace weir::cli {

/// Writes to standard output, at once and whole. An exit code: a reader that is not told what it
/// asked for is a failure.
int say(std::string_view text);
/// The same for a line that matters less than going on: not said where standard output would make us
/// wait.
void say_if_taken(std::string_view line);
/// As say(), to standard error, where nobody is left to tell of a failure.
void say_error(std::string_view text);
/// What is said on standard output may have colours: it is a terminal that knows them, and NO_COLOR is
/// not set (no-color.org).
bool takes_colour();
/// Says in one line what went wrong with a command. The exit code for that.
int fail(std::string_view command, std::string_view message);
/// Help on standard output, or what is wrong with the options on standard error. An exit code.
int tell(const NoOptions& why);

}  // namespace weir::cli
