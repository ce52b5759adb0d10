#include "cli/sites/kept_back.h"

#include <string>
#include <vector>

namespace weir::cli {
namespace {

template <typename Rule>
void add_globs(std::vector<std::string>& globs, const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) globs.push_back(rule.glob);
}

}  // namespace

access::Beneath kept_back(const SiteOptions& options) {
    // All members are named, so that a new rule does not compile before this function decides
    // about it: archives and searches would give out what it refuses.
    [[maybe_unused]] const auto& [passwords, over_plain, signed_links, networks, rates, proxies] =
        options.access;
    access::Beneath::Globs of_passwords, of_networks, alone;
    add_globs(of_passwords, passwords.rules);
    add_globs(of_networks, networks);
    add_globs(alone, signed_links);
    return {options.site, {of_passwords, of_networks}, alone};
}

}  // namespace weir::cli
