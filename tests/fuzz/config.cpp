// Any file gives values for options, or problems with their places; what is printed of the values is
// read as the same.

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "cli/config/printed.h"
#include "cli/config/shape.h"
#include "cli/config/site_head.h"
#include "cli/config/texts.h"
#include "fuzz/fuzz_input.h"
#include "rules/hosts.h"

namespace weir::cli {

/// The engines are not compiled for the fuzzers.
std::vector<std::string> engine_names() { return {"auto", "blocking"}; }

}  // namespace weir::cli

namespace weir::tests {
namespace {

using cli::Option;
using namespace cli::config;

Option option(const char* name, const char* value, bool repeats = false, bool optional = false) {
    return {.long_name = name,
            .value_name = value,
            .value_is_optional = optional,
            .repeats = repeats,
            .in_file = true,
            .per_site = name[0] == 'r' || repeats};
}

/// One of each kind.
const std::array<Option, 9> options{
    option("root", "PATH"),
    option("spa", ""),
    option("header", "'FILES: NAME: VALUE'", true),
    option("cors", "ORIGIN", true, true),
    option("auth", "'PATHS: FILE'", true),
    option("port", "PORT"),
    option("head-timeout", "TIME"),
    option("engine", "ENGINE"),
    option("bind", "ADDRESS", true),
};

/// "f:3:8: " and a sentence.
void check_place(const std::string& problem) {
    require(problem.starts_with("f:"));
    std::size_t at = 2;
    for (int number = 0; number < 2; ++number) {
        const std::size_t begin = at;
        while (at < problem.size() && std::isdigit(static_cast<unsigned char>(problem[at])) != 0)
            ++at;
        require(at > begin && problem[begin] != '0' && at < problem.size() && problem[at] == ':');
        ++at;
    }
    require(at + 1 < problem.size() && problem[at] == ' ');
}

void check_text(const Option& option, const std::string& text) {
    require(!text.empty() && !text.contains('\0'));
    const Shape shape = shape_of(option);
    if (!option.takes_value()) require(text == "true" || text == "false");
    if (shape.number && !shape.text) require(text.find_first_not_of("-0123456789") == text.npos);
}

/// The values of a table, and what is wrong with them.
std::vector<Said> said_in(const Document& document, const Table& table,
                          std::vector<std::string>& problems) {
    std::vector<Said> said;
    for (const Option& option : options) {
        const auto entry = std::ranges::find(table, option.long_name, &Entry::key);
        if (entry == table.end()) continue;
        Said one{.option = option, .texts = texts_of(option, document, *entry, problems).texts};
        for (const std::string& text : one.texts) check_text(option, text);
        // A number that is none is refused by the option's own reader; it would be printed as a text.
        const bool is_negative = std::ranges::any_of(
            one.texts, [](const std::string& text) { return text.starts_with('-'); });
        if (!one.texts.empty() && !is_negative) said.push_back(std::move(one));
    }
    return said;
}

/// Where an option takes true or false, 0 means false. Without another value, so does "no".
std::string meaning(const Option& option, const std::string& text) {
    const std::set<std::string> no{"0", "false"}, yes{"1", "true"};
    const std::set<std::string> more_no{"no", "off"}, more_yes{"yes", "on"};
    const bool is_flag = !option.takes_value();
    if (!shape_of(option).flag) return text;
    if (no.contains(text) || (is_flag && more_no.contains(text))) return "false";
    if (yes.contains(text) || (is_flag && more_yes.contains(text))) return "true";
    return text;
}

bool same(const std::vector<Said>& left, const std::vector<Said>& right) {
    return std::ranges::equal(left, right, [](const Said& one, const Said& other) {
        const auto of = [&](const std::string& text) { return meaning(one.option, text); };
        return one.option.long_name == other.option.long_name &&
               std::ranges::equal(one.texts, other.texts, {}, of, of);
    });
}

void check_printed(const std::vector<Said>& said) {
    const auto text = printed(said, {}, {});
    require(text.has_value());
    const Document again = parse(*text, "f");
    std::vector<std::string> problems;
    require(same(said_in(again, again.entries, problems), said));
    require(problems.empty() && again.problems.empty());
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const ExactCopy text{input.text};
    const Document document = parse(text.view(), "f");
    std::vector<std::string> problems;
    for (const Problem& problem : document.problems)
        problems.push_back(document.at(problem.place) + ": " + problem.text);
    check_keys(document, document.entries, false, options, problems);
    check_printed(said_in(document, document.entries, problems));
    for (const SiteTable& site : document.sites) {
        check_keys(document, site.entries, true, options, problems);
        check_printed(said_in(document, site.entries, problems));
    }
    const auto heads = site_heads(document, problems);
    require(heads.size() == document.sites.size() && heads.size() <= sites_max);
    for (const SiteHead& head : heads)
        for (const std::string& host : head.hosts) require(rules::host_key(host).has_value());
    std::ranges::for_each(problems, check_place);
}

}  // namespace weir::tests
