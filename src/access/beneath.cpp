#include "access/beneath.h"

#include <algorithm>
#include <iterator>

#include "http/syntax/lower_case.h"

namespace weir::access {
namespace {

std::vector<Paths> paths_of(const Beneath::Globs& globs) {
    std::vector<Paths> all;
    all.reserve(globs.size());
    for (const std::string& glob : globs) all.emplace_back(glob);
    return all;
}

bool has_rules_of_its_own(const std::vector<Paths>& rules, const std::vector<std::string>& file,
                          const std::vector<std::string>& folder) {
    bool has_rules = false;
    bool differs = false;
    for (const Paths& rule : rules) {
        const bool is_for_file = rule.contain(file);
        has_rules = has_rules || is_for_file;
        differs = differs || is_for_file != rule.contain(folder);
    }
    return has_rules && differs;
}

}  // namespace

Beneath::Beneath(const site::Options& site, const std::vector<Globs>& kinds, const Globs& alone)
    : addresses_{site}, alone_{paths_of(alone)} {
    for (const Globs& globs : kinds)
        if (!globs.empty()) kinds_.push_back(paths_of(globs));
}

/// The folder has the names by which the handlers have judged it (names_behind()). Its index page
/// is among them: a rule for that page may have let the client in, in place of the rule for the
/// folder.
bool Beneath::keeps_back(const site::Candidate& one) const {
    const std::string_view inside = one.path.substr(one.folder.size());
    std::string asked{one.asked};
    if (asked.ends_with('/')) asked.pop_back();
    asked.append(inside.starts_with('/') ? "" : "/").append(inside);
    const Names file = names_of("/" + std::string{one.path}, asked);
    if (std::ranges::any_of(alone_, [&](const Paths& rule) { return rule.contain(file); }))
        return true;

    const std::string_view end = one.folder.empty() ? "" : "/";
    const Names folder = names_of(std::string{"/"}.append(one.folder).append(end), one.asked);
    return std::ranges::any_of(kinds_, [&](const std::vector<Paths>& rules) {
        return has_rules_of_its_own(rules, file, folder);
    });
}

Beneath::Names Beneath::names_of(std::string_view served, std::string_view asked) const {
    Names names = addresses_.behind(http::lower_case(served));
    if (asked == served) return names;
    std::ranges::move(addresses_.behind(http::lower_case(asked)), std::back_inserter(names));
    return names;
}

}  // namespace weir::access
