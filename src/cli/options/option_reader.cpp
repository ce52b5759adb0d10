#include "cli/options/option_reader.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ranges>

#include "cli/command.h"
#include "cli/help/help.h"
#include "cli/options/arguments.h"

namespace weir::cli {
namespace {

/// Returns WEIR_KEEP_ALIVE_TIMEOUT for keep-alive-timeout.
std::string variable_of(const std::string& long_name) {
    std::string variable = "WEIR_";
    for (const char character : long_name)
        variable += character == '-'
                        ? '_'
                        : static_cast<char>(std::toupper(static_cast<unsigned char>(character)));
    return variable;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const auto line : std::views::split(text, '\n'))
        if (!line.empty()) lines.emplace_back(std::string_view{line});
    return lines;
}

}  // namespace

OptionReader::Added& OptionReader::add(const std::string& names, const char* value_name,
                                       const std::string& help, Read read) {
    Option option = option_named(names);
    option.value_name = option.is_positional && *value_name == '\0' ? names : value_name;
    option.help = help;
    option.group = group_;
    if (page_.is_server && !option.is_positional) option.variable = variable_of(option.long_name);
    return added_.emplace_back(std::move(option), std::move(read));
}

void OptionReader::help_flag() {
    const bool is_short = !page_.first_options.empty();
    Added& added =
        add("-h,--help", "", is_short ? "Show the most common options" : "Show this text", {});
    added.option.variable.clear();
    help_ = &added;
    if (is_short) add("--help-all", "", "Show all options", {}).option.variable.clear();
}

std::expected<void, NoOptions> OptionReader::read(std::vector<std::string> arguments,
                                                  const std::function<void()>& finish) {
    const Extent extent = asks_for_all_help(arguments) ? Extent::all : Extent::first;
    const NoOptions helped{.exit_code = exit_code::success, .text = help(page(), extent)};
    if (asks_for_help(arguments)) return std::unexpected{helped};
    try {
        const auto given = find_options(page().options, std::move(arguments));
        for (std::size_t index = 0; index < added_.size(); ++index)
            added_[index].times = given[index].size();
        if (help_ && help_->times > 0) return std::unexpected{helped};  // for combined flags: -lh
        read_arguments(given);
        read_variables();
        finish();
        return {};
    } catch (const WrongUse& error) {
        return std::unexpected{wrong_use(page_.full_name(), error.what())};
    }
}

void OptionReader::read_arguments(const std::vector<Texts>& given) {
    for (std::size_t index = 0; index < added_.size(); ++index) {
        Added& added = added_[index];
        added.given_by = added.option.name();
        if (added.times > 0) added.read(added.given_by, given[index]);
    }
}

void OptionReader::read_variables() {
    std::vector<Added*> unsaid;  // not on the command line; collected first, so that one variable
                                 // does not hide another
    for (Added& added : added_)
        if (!added.option.variable.empty() && !is_said(added)) unsaid.push_back(&added);
    for (Added* const added : unsaid) {
        const char* const text = std::getenv(added->option.variable.c_str());
        if (!text || *text == '\0') continue;
        const auto texts = added->repeats ? lines_of(text) : Texts{text};
        added->times = texts.size();
        added->given_by = added->option.variable;
        if (added->times > 0) added->read(added->given_by, texts);
    }
}

bool OptionReader::is_said(const Added& added) const {
    const auto given = [](const Added* one) { return one->times > 0; };
    for (const auto& options : alternatives_)
        if (std::ranges::find(options, &added) != options.end())
            return std::ranges::any_of(options, given);
    return given(&added);
}

Page OptionReader::page() const {
    Page page = page_;
    for (const Added& added : added_) page.options.push_back(added.option);
    return page;
}

}  // namespace weir::cli
