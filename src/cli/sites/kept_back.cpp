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
    const AccessOptions& access = options.access;
    access::Beneath::Globs passwords, networks, alone;
    add_globs(passwords, access.passwords.rules);
    add_globs(networks, access.networks);
    add_globs(alone, access.signed_links);
    return {options.site, {passwords, networks}, alone};
}

}  // namespace weir::cli
