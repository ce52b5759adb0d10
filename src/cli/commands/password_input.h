#pragma once

#include <expected>
#include <string>

namespace weir::cli {

/// Reads a password: twice from a terminal, without echo; otherwise one line of standard input. The
/// error is a sentence without its full stop.
std::expected<std::string, std::string> read_password();

}  // namespace weir::cli
