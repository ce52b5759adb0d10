#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace weir::cli {

enum class Messages : std::uint8_t { shown, dropped };

/// Runs a program that is found in PATH, and waits for its end. `words` are its name and its
/// arguments. Its standard error is that of weir, unless its messages are dropped. Returns its exit
/// status, 128 + the signal that ended it, or an error in words if it could not be started.
std::expected<int, std::string> run_program(std::vector<std::string> words,
                                            Messages messages = Messages::shown);

}  // namespace weir::cli
