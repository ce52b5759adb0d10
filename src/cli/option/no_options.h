#pragma once

#include <string>
#include <vector>

namespace weir::cli {

/// The exit codes of the process.
namespace exit_code {
inline constexpr int success = 0;
inline constexpr int failure = 1;  // the command could not start, or could not continue
inline constexpr int wrong_use = 2;
}  // namespace exit_code

/// The reason why there are no options: the user asked for help (exit code 0), or the options are
/// wrong (2).
struct NoOptions {
    int exit_code;
    std::string text;
    /// The faults, one by one; in a file, each begins with its place: "weir.toml:3:8: ...".
    std::vector<std::string> problems{};
};

/// "weir serve: MESSAGE; see weir serve --help", in one line.
NoOptions wrong_use(const std::string& command, const std::string& message);

/// The same for a configuration file: names the first problem, and the number of the others.
NoOptions wrong_file(const std::string& command, std::vector<std::string> problems);

}  // namespace weir::cli
