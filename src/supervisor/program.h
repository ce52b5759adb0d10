#pragma once

#include <string>
#include <system_error>
#include <vector>

namespace weir::supervisor {

/// A program to execute: a file, and the arguments that the user gave.
struct Program {
    std::string file;
    std::vector<std::string> arguments;  // the first one is the program's name
};

/// Replaces this process by the program (execv(3)). Returns only if that fails.
std::error_code execute(const Program& program);

// Both change the environment of this process, which must have one thread.
std::error_code set_variable(const char* name, const std::string& value);
void remove_variable(const char* name);

}  // namespace weir::supervisor
