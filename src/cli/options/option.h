#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// One option of a command: all that help, man page, completions and the parser know of it.
struct Option {
    std::string short_name;  // "p"; empty: none
    std::string long_name;   // "port"; of a positional, "PATH"
    std::string value_name;  // "PORT", "inside|none", "FILE|-|off"; empty: a flag
    std::string help;
    std::string group;
    std::string variable;  // "WEIR_PORT"; empty: none
    bool is_positional = false;
    bool value_is_optional = false;  // --cors, --cors=ORIGIN

    bool takes_value() const { return !value_name.empty(); }
    /// As messages have it: "--port", or "PATH".
    std::string name() const { return is_positional ? long_name : "--" + long_name; }
};

/// From "-p,--port" or "PATH".
Option option_named(std::string_view names);

/// auto, and every engine's own.
std::vector<std::string> engine_names();

/// What a value may be, as its name tells.
struct Values {
    std::vector<std::string> words;
    bool files = false;
};

/// "FILE|-|off" is a file, or one of two words; ENGINE is any engine's name.
Values values_of(const Option& option);

}  // namespace weir::cli
