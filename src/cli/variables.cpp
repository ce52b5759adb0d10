#include "cli/variables.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/command.h"
#include "cli/option/near_miss.h"

namespace weir::cli {
namespace {

/// Variables for building, testing and measuring weir. A server that is started there inherits
/// them, so they cause no warning.
constexpr std::array<std::string_view, 10> of_the_project{
    "WEIR_AXE",  "WEIR_BINARY",    "WEIR_CI_STEPS",  "WEIR_FIXED_ADDRESSES", "WEIR_HOSTILE",
    "WEIR_JOBS", "WEIR_LAB_BUILD", "WEIR_LAB_OTHER", "WEIR_SOURCE_DIR",      "WEIR_LIVE"};

constexpr std::string_view prefix = "WEIR_";

/// The names without the common prefix: it would make all names look similar.
std::vector<std::string> of_the_commands() {
    std::vector<std::string> names;
    for (const Command& command : commands())
        for (const Option& option : command.page().options)
            if (!option.variable.empty()) names.push_back(option.variable.substr(prefix.size()));
    std::ranges::sort(names);
    const auto twice = std::ranges::unique(names);
    names.erase(twice.begin(), twice.end());
    return names;
}

}  // namespace

std::vector<std::string> unknown_variables() {
    std::vector<std::string> sentences;
    const auto known = of_the_commands();
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view text{*entry};
        const std::string variable{text.substr(0, text.find('='))};
        if (!variable.starts_with(prefix)) continue;
        const std::string name = variable.substr(prefix.size());
        if (std::ranges::find(known, name) != known.end() ||
            std::ranges::find(of_the_project, variable) != of_the_project.end())
            continue;
        sentences.push_back("the variable " + variable + " is unknown and has no effect" +
                            did_you_mean(name, known, prefix));
    }
    return sentences;
}

}  // namespace weir::cli
