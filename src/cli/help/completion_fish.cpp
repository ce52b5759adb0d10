#include <string>
#include <string_view>

#include "cli/help/completion.h"
#include "cli/option/near_miss.h"

namespace weir::cli {
namespace {

constexpr std::string_view begin = R"(# fish completion for weir, made by: weir completion fish
function __weir_runs
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end
function __weir_has_no_command
    test (count (commandline -opc)) -eq 1
end
complete -c weir -f
)";

std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char character : text) {
        if (character == '\'' || character == '\\') out += '\\';
        out += character;
    }
    return out += '\'';
}

/// The part after the names: whether the option takes a value, and which values are possible.
std::string values_text(const Option& option) {
    if (!option.takes_value()) return "";
    const Values values = values_of(option);
    const auto words = enumerated(values.words, " ", " ");
    std::string text = option.is_positional || option.value_is_optional ? ""
                       : values.files                                   ? " -r"
                                                                        : " -x";
    if (values.files) text += " -F";
    return words.empty() ? text : text + " -a " + quoted(words);
}

std::string line_of(const Option& option, std::string_view command) {
    std::string text = "complete -c weir -n '__weir_runs " + std::string{command} + '\'';
    if (!option.short_name.empty()) text += " -s " + option.short_name;
    if (!option.is_positional) text += " -l " + option.long_name;
    text += values_text(option);
    if (!option.is_positional) text += " -d " + quoted(option.help);
    return text + '\n';
}

}  // namespace

std::string fish_completion(std::span<const Page> commands) {
    std::string out{begin};
    for (const Page& page : commands)
        out += "complete -c weir -n __weir_has_no_command -a " + std::string{page.command} +
               " -d " + quoted(page.summary) + '\n';
    for (const Page& page : commands)
        for (const Option& option : page.options) out += line_of(option, page.command);
    return out;
}

}  // namespace weir::cli
