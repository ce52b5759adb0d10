#include "cli/option/option.h"

#include <algorithm>
#include <cctype>
#include <ranges>

namespace weir::cli {
namespace {

/// True for a placeholder (PORT), false for a literal word (off).
bool is_placeholder(std::string_view part) {
    return std::ranges::any_of(part,
                               [](unsigned char character) { return std::isupper(character); });
}

}  // namespace

std::string_view stated_default(const Option& option) {
    constexpr std::string_view begin = "(default: ";
    const std::string_view help = option.help;
    const auto at = help.rfind(begin);
    if (at == help.npos || !help.ends_with(')')) return {};
    return help.substr(at + begin.size(), help.size() - at - begin.size() - 1);
}

Option option_named(std::string_view names) {
    Option option;
    const auto dashes = names.find("--");
    option.is_positional = dashes == std::string_view::npos;
    option.long_name = option.is_positional ? names : names.substr(dashes + 2);
    if (!option.is_positional && dashes > 0) option.short_name = names.substr(1, 1);
    return option;
}

bool has_secrets(const Option& option) { return option.value_name.contains("HASH"); }

Values values_of(const Option& option) {
    Values values;
    for (const auto range : std::views::split(option.value_name, '|')) {
        const std::string_view part{range};
        if (part == "PATH" || part == "FILE") {
            values.files = true;
        } else if (part == "ENGINE") {
            values.words = engine_names();
        } else if (!part.empty() && !is_placeholder(part)) {
            values.words.emplace_back(part);
        }
    }
    return values;
}

}  // namespace weir::cli
