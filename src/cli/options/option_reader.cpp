#include "cli/options/option_reader.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ranges>

#include "cli/config/texts.h"
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
    option.per_site = per_site_ && !option.is_positional;
    option.in_file = page_.is_server && !option.is_positional;
    if (option.in_file) option.variable = variable_of(option.long_name);
    return added_.emplace_back(std::move(option), std::move(read));
}

void OptionReader::keep_from_files(const Added* added) {
    Option& option = option_of(added);
    option.in_file = option.per_site = false;
}

void OptionReader::take_from_variable(const Added* added) {
    Option& option = option_of(added);
    option.variable = variable_of(option.long_name);
}

Option& OptionReader::option_of(const Added* added) {
    return std::ranges::find(added_, added, [](const Added& one) { return &one; })->option;
}

void OptionReader::help_flag() {
    const bool is_short = !page_.first_options.empty();
    const auto add_help = [this](const char* names, const char* help) {
        Added& added = add(names, "", help, {});
        added.option.variable.clear();
        added.option.in_file = false;
        return &added;
    };
    help_ = add_help("-h,--help", is_short ? "Show the most common options" : "Show this text");
    if (is_short) add_help("--help-all", "Show all options");
}

std::expected<void, NoOptions> OptionReader::read(Sources sources,
                                                  const std::function<void()>& finish) {
    const Extent extent = asks_for_all_help(sources.arguments) ? Extent::all : Extent::first;
    const auto helped = [&] {
        return std::unexpected{
            NoOptions{.exit_code = exit_code::success, .text = help(page(), extent)}};
    };
    if (asks_for_help(sources.arguments)) return helped();
    try {
        take_arguments(find_options(page().options, std::move(sources.arguments)));
        if (help_ && help_->count() > 0) return helped();  // for combined flags: -lh
        if (sources.has_variables) take_variables();
        if (file_ && file_->count() > 0 && !sources.document && sources.open)
            sources.document = sources.open(file_->texts.back());
        Texts problems;
        take_file(sources, problems);
        read_texts(problems);
        if (!problems.empty())
            return std::unexpected{wrong_file(page_.full_name(), std::move(problems))};
        finish();
        return {};
    } catch (const WrongUse& error) {
        return std::unexpected{refused(error.what())};
    }
}

void OptionReader::take_arguments(std::vector<Texts> given) {
    for (std::size_t index = 0; index < added_.size(); ++index) {
        Added& added = added_[index];
        added.given_by = added.option.name();
        added.texts = std::move(given[index]);
        if (!added.texts.empty()) added.source = Source::arguments;
    }
}

/// The options that no source has given yet. They are collected before the next source is read, so
/// that one of its options does not hide another.
std::vector<OptionReader::Added*> OptionReader::unsaid() {
    std::vector<Added*> unsaid;
    for (Added& added : added_)
        if (!is_said(added)) unsaid.push_back(&added);
    return unsaid;
}

void OptionReader::take_variables() {
    for (Added* const added : unsaid()) {
        if (added->option.variable.empty()) continue;
        const char* const text = std::getenv(added->option.variable.c_str());
        if (!text || *text == '\0') continue;
        added->texts = added->option.repeats ? lines_of(text) : Texts{text};
        added->given_by = added->option.variable;
        if (!added->texts.empty()) added->source = Source::variable;
    }
}

void OptionReader::take_file(const Sources& sources, Texts& problems) {
    if (!sources.document) return;
    const config::Document& document = *sources.document;
    const auto& options = page().options;
    if (sources.site) {
        config::check_keys(document, sources.site->entries, true, options, problems);
        take_table(document, sources.site->entries, Source::site, problems);
    } else {
        for (const config::Problem& problem : document.problems)
            problems.push_back(document.at(problem.place) + ": " + problem.text);
        config::check_keys(document, document.entries, false, options, problems);
    }
    take_table(document, document.entries, Source::file, problems);
}

void OptionReader::take_table(const config::Document& document, const config::Table& table,
                              Source source, Texts& problems) {
    for (Added* const added : unsaid()) {
        const bool may_stand =
            source == Source::site ? added->option.per_site : added->option.in_file;
        const auto entry = std::ranges::find(table, added->option.long_name, &config::Entry::key);
        if (!may_stand || entry == table.end()) continue;
        added->source = source;
        added->given_by = document.at(entry->place) + ": " + entry->key;
        config::Texts found = config::texts_of(added->option, document, *entry, problems);
        added->texts = std::move(found.texts);
        added->names = std::move(found.names);
    }
}

/// Reports every wrong value of the file, not only the first one.
void OptionReader::read_texts(Texts& problems) {
    for (const Added& added : added_) {
        if (added.texts.empty() || !added.read) continue;
        if (added.names.empty()) {
            added.read(added.given_by, added.texts);
            continue;
        }
        for (std::size_t index = 0; index < added.texts.size(); ++index) try {
                added.read(added.names[index], {added.texts[index]});
            } catch (const WrongUse& error) {
                problems.emplace_back(error.what());
            }
    }
}

bool OptionReader::is_said(const Added& added) const {
    const auto said = [](const Added* one) { return one->source != Source::none; };
    for (const auto& options : alternatives_)
        if (std::ranges::find(options, &added) != options.end())
            return std::ranges::any_of(options, said);
    return said(&added);
}

/// If the message is about an option from the file, it begins with the place in the file, instead
/// of "--port".
NoOptions OptionReader::refused(const std::string& message) const {
    const auto name = std::string_view{message}.substr(0, message.find_first_of(": "));
    for (const Added& added : added_) {
        const bool is_of_file = added.source == Source::site || added.source == Source::file;
        if (is_of_file && added.option.name() == name)
            return wrong_file(page_.full_name(), {added.given_by + message.substr(name.size())});
    }
    return wrong_use(page_.full_name(), message);
}

std::vector<const OptionReader::Added*> OptionReader::given() const {
    std::vector<const Added*> given;
    for (const Added& added : added_)
        if (added.source != Source::none) given.push_back(&added);
    return given;
}

Page OptionReader::page() const {
    Page page = page_;
    for (const Added& added : added_) page.options.push_back(added.option);
    return page;
}

}  // namespace weir::cli
