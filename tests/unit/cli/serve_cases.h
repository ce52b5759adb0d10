#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/serve/serve_options.h"

namespace weir::cli {

/// An option of `weir serve`, two of its values, and what is read of them.
struct Case {
    std::string option;
    std::string argument;  // empty: a flag
    std::string given;     // the value that is shown then
    std::string by_default;
    std::function<std::string(const ServeOptions&)> show;
    std::string other_argument;  // another value, for the variable
    std::string other_given;
    std::vector<std::string>
        besides{};  // other arguments, for a value that only some engines support

    std::vector<std::string> arguments() const {
        std::vector<std::string> all = besides;
        all.push_back("--" + option);
        if (!argument.empty()) all.push_back(argument);
        return all;
    }
    std::string variable() const {
        std::string name = "WEIR_" + option;
        for (char& character : name)
            character = character == '-' ? '_' : static_cast<char>(std::toupper(character));
        return name;
    }
};

/// One for each option.
const std::vector<Case>& serve_cases();

}  // namespace weir::cli
