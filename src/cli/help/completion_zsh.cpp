#include <string>
#include <string_view>

#include "cli/help/completion.h"
#include "cli/option/near_miss.h"

namespace weir::cli {
namespace {

constexpr std::string_view begin = R"(#compdef weir
# zsh completion for weir, made by: weir completion zsh
_weir() {
    local -a commands
    commands=(
)";

constexpr std::string_view middle = R"(    )
    if ((CURRENT == 2)); then
        _describe -t commands command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
)";

constexpr std::string_view end = R"(    esac
}
# Sourced, it defines the completion; from a folder of $fpath, it is the completion.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _weir "$@"
else
    compdef _weir weir
fi
)";

/// Puts the text in single quotes. A quote inside closes them, is escaped, and opens them again.
std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char character : text) {
        if (character == '\'') {
            out += "'\\''";
        } else {
            out += character;
        }
    }
    return out += '\'';
}

/// Escapes the characters that have a meaning for _arguments or _describe.
std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (const char character : text) {
        if (special.contains(character)) out += '\\';
        out += character;
    }
    return out;
}

/// The possible values, as an action of _arguments.
std::string action_of(const Option& option) {
    const Values values = values_of(option);
    const auto words = enumerated(values.words, " ", " ");
    const std::string_view files = values.files ? "_files" : "";
    if (values.words.empty()) return files.empty() ? " " : std::string{files};
    if (files.empty()) return '(' + words + ')';
    return "{ compadd -- " + words + "; " + std::string{files} + " }";
}

/// "[help]:value:action"
std::string rest_of(const Option& option) {
    std::string text = '[' + escaped(option.help, "[]\\:") + ']';
    if (!option.takes_value()) return text;
    const std::string_view colon = option.value_is_optional ? "::" : ":";
    return text.append(colon) + escaped(option.value_name, "\\:") + ':' + action_of(option);
}

/// Every option can be repeated: the last one wins.
std::string specification(const Option& option) {
    if (option.is_positional)
        return quoted("::" + escaped(option.long_name, "\\:") + ':' + action_of(option));
    const std::string_view equals = option.value_is_optional ? "=-"
                                    : option.takes_value()   ? "="
                                                             : "";
    const auto rest = rest_of(option);
    std::string text = quoted("*" + option.name() + std::string{equals} + rest);
    if (option.short_name.empty()) return text;
    const std::string_view plus = option.takes_value() ? "+" : "";
    return quoted("*-" + option.short_name + std::string{plus} + rest) + ' ' + text;
}

}  // namespace

std::string zsh_completion(std::span<const Page> commands) {
    std::string out{begin};
    for (const Page& page : commands)
        out += "        " +
               quoted(escaped(page.command, "\\:") + ':' + escaped(page.summary, "\\")) + '\n';
    out += middle;
    for (const Page& page : commands) {
        out.append("    ").append(page.command) += ")\n        _arguments -s -S";
        for (const Option& option : page.options)
            out += " \\\n            " + specification(option);
        out += " ;;\n";
    }
    return out += end;
}

}  // namespace weir::cli
