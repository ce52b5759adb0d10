#include "cli/option/no_options.h"

#include <algorithm>
#include <utility>

namespace weir::cli {

NoOptions wrong_use(const std::string& command, const std::string& message) {
    std::string text = command + ": " + message;
    std::ranges::replace(text, '\n', ' ');
    text += message.ends_with('?') ? " See " : "; see ";
    return {.exit_code = exit_code::wrong_use,
            .text = text + command + " --help\n",
            .problems = {message}};
}

NoOptions wrong_file(const std::string& command, std::vector<std::string> problems) {
    std::string text = command + ": " + problems.front();
    std::ranges::replace(text, '\n', ' ');
    if (problems.size() > 1)
        text += "; " + std::to_string(problems.size() - 1) + " more: see weir check-config";
    return {
        .exit_code = exit_code::wrong_use, .text = text + '\n', .problems = std::move(problems)};
}

}  // namespace weir::cli
