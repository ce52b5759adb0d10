#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// One option of a command, with everything that the help, the man page, the completions and the
/// parser need.
struct Option {
    std::string short_name{};  // "p"; empty: none
    std::string long_name{};   // "port"; "PATH" for a positional argument
    std::string value_name{};  // "PORT", "inside|none", "FILE|-|off"; empty: a flag
    std::string help{};
    std::string group{};
    std::string variable{};  // "WEIR_PORT"; empty: none
    bool is_positional = false;
    bool value_is_optional = false;  // --cors, --cors=ORIGIN
    bool repeats = false;            // can be given several times, and has all these values
    bool in_file = false;            // a configuration file may have it
    bool per_site = false;           // each site of such a file may have its own

    bool takes_value() const { return !value_name.empty(); }
    /// The name for messages: "--port" or "PATH".
    std::string name() const { return is_positional ? long_name : "--" + long_name; }
};

/// Makes an option from "-p,--port" or "PATH".
Option option_named(std::string_view names);

/// The default at the end of the help: "10s" for "(default: 10s)". Empty if the help has none.
std::string_view stated_default(const Option& option);

/// "auto" and the names of all engines.
std::vector<std::string> engine_names();

/// True if the values are secrets: they must not appear in a log or on a page. Derived from the name
/// of the value: NAME:HASH.
bool has_secrets(const Option& option);

/// The possible values of an option, derived from the name of its value.
struct Values {
    std::vector<std::string> words;
    bool files = false;
};

/// "FILE|-|off" means a file or one of two words; ENGINE means the name of any engine.
Values values_of(const Option& option);

}  // namespace weir::cli
