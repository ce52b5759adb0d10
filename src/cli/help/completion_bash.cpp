#include <string>
#include <string_view>

#include "cli/help/completion.h"
#include "cli/option/near_miss.h"

// bash shows no descriptions, so it gets only the words. COMP_WORDS splits at '=' (--engine=auto is
// three words), so an option's value comes one or two words after it.
namespace weir::cli {
namespace {

constexpr std::string_view begin = R"(# bash completion for weir, made by: weir completion bash
_weir() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words='' kind=''
    COMPREPLY=()
    if [[ $word == = ]]; then
        word=''
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if ((COMP_CWORD == 1)); then
)";

constexpr std::string_view end = R"(    fi
    [[ -n $words ]] && mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [[ -n $kind ]]; then
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$kind" -- "$word")
        compopt -o filenames 2>/dev/null  # not there when no completion is under way
    fi
    return 0
}
complete -F _weir weir
)";

/// Assigns the possible values of an option or a positional argument to variables of the script.
std::string assignments(const Option& option) {
    const Values values = values_of(option);
    std::string text = "words='" + enumerated(values.words, " ", " ") + '\'';
    if (values.files) text += " kind=-f";
    return text;
}

bool takes_next_word(const Option& option) {
    return option.takes_value() && !option.value_is_optional && !option.is_positional;
}

std::string case_of(const Option& option, std::string_view command) {
    const std::string prefix = std::string{command} + ':';
    std::string text = prefix + option.name();
    if (!option.short_name.empty()) text = prefix + '-' + option.short_name + " | " + text;
    return "        " + text + ") " + assignments(option) + " ;;\n";
}

/// A word that begins with a dash completes to options, any other word to values of the positional
/// argument.
void append_command(std::string& out, const Page& page) {
    std::string names;
    std::string positional = ":";
    for (const Option& option : page.options) {
        if (option.is_positional) {
            positional = assignments(option);
            continue;
        }
        if (!option.short_name.empty()) names += '-' + option.short_name + ' ';
        names += option.name() + ' ';
    }
    names.pop_back();
    out.append("        ")
        .append(page.command)
        .append(":*)\n            if [[ $word == -* ]]; then words='");
    out += names + "'; else " + positional + "; fi ;;\n";
}

}  // namespace

std::string bash_completion(std::span<const Page> commands) {
    std::string out{begin};
    out += "        words='";
    for (const Page& page : commands) out.append(page.command) += ' ';
    out += "--help --version'\n    else\n        case ${COMP_WORDS[1]}:$before in\n";
    for (const Page& page : commands)
        for (const Option& option : page.options)
            if (takes_next_word(option)) out += case_of(option, page.command);
    for (const Page& page : commands) append_command(out, page);
    return out.append("        esac\n").append(end);
}

}  // namespace weir::cli
