// _redirects. The first line is the target of a request, the others are the file.

#include <algorithm>
#include <string>

#include "folder_lines.h"
#include "rules/folder/redirects_file.h"
#include "site/path/target_path.h"

namespace weir::tests {
namespace {

bool is_clean(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c > ' ' && c < 0x7f && !std::string_view{"\"<>\\^`{|}"}.contains(c);
    });
}

void check_place(const rules::Target& to, const std::string& target) {
    require(is_clean(target) && target.starts_with(to.origin()));
    const std::string place = target.substr(to.origin().size());
    if (to.origin().empty())
        require(place.starts_with('/') && !place.starts_with("//"));
    else
        require(place.empty() || std::string_view{"/?#"}.contains(place[0]));
}

/// What a path captures lies in the path, and the literal parts of the form are all that is left.
void check_captures(const rules::PathForm& form, std::string_view path,
                    const rules::Captures& captures) {
    std::size_t captured = 0;
    for (std::size_t i = 0; i < form.names().size(); ++i) {
        const std::string_view text = captures[i];
        require(path.contains(text));
        require(form.names()[i] == "splat" || (!text.empty() && !text.contains('/')));
        captured += text.size();
    }
    require(captured < path.size());
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string target{take_line(text)};
    const ExactCopy content{text};
    const rules::RedirectsFile file = rules::read_redirects(content.view());
    check_faults(content.view(), file.faults);
    require(file.moves.size() <= rules::rules_max);
    require(file.moves.size() + file.faults.size() == said_lines(content.view()));
    if (!is_clean(target)) return;  // the parser lets nothing else through
    const std::size_t query = std::min(target.find('?'), target.size());
    const auto path = site::decoded_path(std::string_view{target}.substr(0, query));
    if (!path) return;
    for (const rules::FolderMove& move : file.moves) {
        rules::Captures captures;
        if (!move.from.matches(*path, captures)) continue;
        check_captures(move.from, *path, captures);
        const bool has_query = query < target.size();
        const std::string led =
            move.to.expand(captures, has_query ? target.substr(query + 1) : std::string{});
        check_place(move.to, led);
    }
}

}  // namespace weir::tests
