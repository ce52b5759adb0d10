#include "cli/sites/kept_back.h"

#include <string>
#include <utility>
#include <vector>

#include "access/beneath.h"

namespace weir::cli {
namespace {

template <typename Rule>
void add_globs(std::vector<std::string>& globs, const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) globs.push_back(rule.glob);
}

}  // namespace

std::function<bool(std::string_view, std::string_view)> kept_back(const SiteOptions& options) {
    const AccessOptions& access = options.access;
    std::vector<std::string> globs, alone;
    add_globs(globs, access.passwords.rules);
    add_globs(globs, access.networks);
    add_globs(alone, access.signed_links);
    access::Beneath rules{options.site, globs, alone};
    if (rules.keeps_nothing()) return {};
    return [rules = std::move(rules)](std::string_view folder, std::string_view path) {
        return rules.keeps_back(folder, path);
    };
}

}  // namespace weir::cli
