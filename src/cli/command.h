#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// What the process ends with.
namespace exit_code {
inline constexpr int success = 0;
inline constexpr int failure = 1;  // could not start, or not go on
inline constexpr int wrong_use = 2;
}  // namespace exit_code

/// One of weir's subcommands.
struct Command {
    std::string_view name;
    std::string_view summary;
    /// `arguments` are those behind the name. Returns an exit code.
    int (*run)(std::vector<std::string> arguments);
};

int serve(std::vector<std::string> arguments);
int target(std::vector<std::string> arguments);
int list_engines(std::vector<std::string> arguments);

/// Runs what the arguments of the whole program ask for.
int run(std::vector<std::string> arguments);

}  // namespace weir::cli
