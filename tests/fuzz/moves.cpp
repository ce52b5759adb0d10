// Where redirects and rewrites lead. The first line is a move, the second the target of a request.
// The model splits paths at their slashes.

#include <algorithm>
#include <map>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "rules/moves/moves.h"
#include "site/path/target_path.h"
#include "web/routing/pattern.h"

namespace weir::tests {
namespace {

using Names = std::map<std::string, std::string>;

std::vector<std::string> split(std::string_view path) {
    std::vector<std::string> parts;
    for (path.remove_prefix(1);;) {
        const std::size_t slash = path.find('/');
        parts.emplace_back(path.substr(0, slash));
        if (slash == path.npos) return parts;
        path.remove_prefix(slash + 1);
    }
}

/// The plain reading of a pattern, without its method and host.
bool matches(const std::string& pattern, std::string_view path, Names& names) {
    const auto wanted = split(std::string_view{pattern}.substr(pattern.find('/')));
    const auto has = split(path);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::string one = wanted[i];
        if (one == "{$}") one.clear();
        if (i >= has.size()) return false;
        const bool is_wildcard = one.starts_with('{');
        const std::string name = is_wildcard ? one.substr(1, one.size() - 2) : "";
        if (name.ends_with("...")) {
            std::string rest = has[i];
            for (std::size_t j = i + 1; j < has.size(); ++j) rest += '/' + has[j];
            names[name.substr(0, name.size() - 3)] = rest;
            return true;
        }
        std::string literal;
        if (!is_wildcard && (!web::append_decoded(literal, one) || literal != has[i])) return false;
        if (is_wildcard && has[i].empty()) return false;
        if (is_wildcard) names[name] = has[i];
    }
    return wanted.size() == has.size();
}

/// Characters of a URI alone: nothing ends a line, a field or an attribute.
bool is_clean(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c > ' ' && c < 0x7f && !std::string_view{"\"<>\\^`{|}"}.contains(c);
    });
}

void check_place(const rules::Destination& found) {
    const std::string& origin = found.move->target.origin();
    require(is_clean(found.target) && found.target.starts_with(origin));
    const std::string place = found.target.substr(origin.size());
    if (origin.empty())
        require(place.starts_with('/') && !place.starts_with("//"));
    else
        require(place.empty() || std::string_view{"/?#"}.contains(place[0]));
}

/// A path target that is one wildcard and nothing else gives back what that matched.
void check_capture(const rules::Destination& found, const std::string& written,
                   const Names& names) {
    if (!written.starts_with("/{") || written.find('}') != written.size() - 1) return;
    std::string name = written.substr(2, written.size() - 3);
    if (name.ends_with("...")) name.resize(name.size() - 3);
    const auto path = site::decoded_path(found.target.substr(0, found.target.find('?')));
    require(path && *path == '/' + names.at(name));
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string line{take_line(text)};
    const std::string target{take_line(text)};
    const bool rewrites = (input.choice & 1) != 0;
    auto move = rewrites ? rules::Move::parse_rewrite(line) : rules::Move::parse_redirect(line);
    if (!move) return require(!move.error().empty());
    const web::Pattern pattern = move->pattern.pattern();
    std::vector<rules::Move> moves;
    moves.push_back(std::move(*move));
    if (!rewrites) static_cast<void>(rules::find_endless(moves));
    if (!is_clean(target)) return;  // the parser lets nothing else through
    const auto path = site::decoded_path(target.substr(0, target.find('?')));
    if (!path) return;
    const std::string query = target.contains('?') ? target.substr(target.find('?') + 1) : "";
    const rules::Asked asked{
        .method = pattern.method(), .host = pattern.host(), .path = *path, .query = query};
    const auto found = rules::find_destination(moves, asked, {});
    Names names;
    const bool fits = matches(pattern.text(), *path, names);
    if (found) require(fits);
    if (!found) return;
    check_place(*found);
    check_capture(*found, line.substr(line.find(": ") + 2), names);
}

}  // namespace weir::tests
