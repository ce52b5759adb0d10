#include "access/beneath.h"

#include <algorithm>

#include "site/path/glob.h"

namespace weir::access {
namespace {

std::vector<Paths> paths_of(const std::vector<std::string>& globs) {
    std::vector<Paths> all;
    all.reserve(globs.size());
    for (const std::string& glob : globs) all.emplace_back(glob);
    return all;
}

std::string from_root(std::string_view relative) {
    return site::lower_case("/" + std::string{relative});
}

}  // namespace

Beneath::Beneath(const site::Options& site, const std::vector<std::string>& globs,
                 const std::vector<std::string>& alone)
    : addresses_{site}, rules_{paths_of(globs)}, alone_{paths_of(alone)} {}

/// The folder counts under its own path alone: a rule for its index page does not let in to others.
bool Beneath::keeps_back(std::string_view folder, std::string_view path) const {
    const std::vector<std::string> names = addresses_.behind(from_root(path));
    const std::vector<std::string> asked{from_root(folder)};
    return std::ranges::any_of(alone_, [&](const Paths& rule) { return rule.contain(names); }) ||
           std::ranges::any_of(rules_, [&](const Paths& rule) {
               return rule.contain(names) && !rule.contain(asked);
           });
}

}  // namespace weir::access
