#pragma once

#include <string>
#include <system_error>
#include <vector>

namespace weir::supervisor {

/// What is executed: a file, and the arguments that the user gave.
struct Program {
    std::string file;
    std::vector<std::string> arguments;  // the first is the program's name
};

/// Becomes the program. Returns only if that fails.
std::error_code execute(const Program& program);

// The environment of this process, which has one thread.
void set_variable(const char* name, const std::string& value);
void remove_variable(const char* name);

}  // namespace weir::supervisor
