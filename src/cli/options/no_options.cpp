#include "cli/options/no_options.h"

#include <algorithm>

#include "cli/command.h"

namespace weir::cli {

NoOptions wrong_use(const std::string& command, const std::string& message) {
    std::string text = command + ": " + message;
    std::ranges::replace(text, '\n', ' ');
    text += message.ends_with('?') ? " See " : "; see ";
    return {.exit_code = exit_code::wrong_use, .text = text + command + " --help\n"};
}

}  // namespace weir::cli
