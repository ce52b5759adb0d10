// _headers. The first line is a path, decoded, the others are the file. The model reads the lines of a
// path as regular expressions do.

#include <regex>
#include <string>

#include "folder_lines.h"
#include "rules/folder/headers_file.h"
#include "weir/http/response.h"

namespace weir::tests {
namespace {

/// A plain form without escapes: letters, slashes, dots, `:name` and `*`.
bool is_plain(const std::string& form) {
    static const std::regex plain{"(/(:[a-z]+|[a-z.*]*))+"};
    return std::regex_match(form, plain);
}

bool matches(const std::string& form, const std::string& path) {
    static const std::regex special{R"(\.)"}, star{R"(\*)"}, name{"/:[a-z]+"};
    std::string text = std::regex_replace(form, special, "[.]");
    text = std::regex_replace(text, star, "[^]*");
    text = std::regex_replace(text, name, "/[^/]+");
    return std::regex_match(path, std::regex{text});
}

void check_form(const std::string& form, const std::string& path) {
    const auto parsed = rules::PathForm::parse(form);
    if (!parsed) return require(!parsed.error().empty());
    rules::Captures captures;
    const bool fits = parsed->matches(path, captures);
    constexpr std::size_t long_path = 200;  // std::regex needs a stack in proportion
    if (is_plain(form) && path.size() < long_path) require(fits == matches(form, path));
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string path{take_line(text)};
    const ExactCopy content{text};
    const rules::HeadersFile file = rules::read_headers(content.view());
    check_faults(content.view(), file.faults);
    require(file.faults.size() <= said_lines(content.view()));
    for (const rules::HeaderRule& rule : file.rules) require(!rule.lines.empty());
    http::Response response;
    for (const auto& line : rules::changes_for(file.rules, path).added)
        response.add(line.name, line.value);  // throws what cannot be sent
    for (std::string_view rest = content.view(); !rest.empty();)
        check_form(std::string{take_line(rest)}, path);
}

}  // namespace weir::tests
