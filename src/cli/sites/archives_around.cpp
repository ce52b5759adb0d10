#include "cli/sites/archives_around.h"

#include <utility>
#include <vector>

#include "access/beneath.h"
#include "weir/archive/archive.h"

namespace weir::cli {
namespace {

template <typename Rule>
void add_globs(std::vector<std::string>& globs, const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) globs.push_back(rule.glob);
}

access::Beneath beneath(const SiteOptions& options) {
    const AccessOptions& access = options.access;
    access::Beneath::Globs passwords, networks, alone;
    add_globs(passwords, access.passwords.rules);
    add_globs(networks, access.networks);
    add_globs(alone, access.signed_links);
    return {options.site, {passwords, networks}, alone};
}

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> archives_around(
    http::Handler& inner, const SiteOptions& options) {
    if (!options.site.listing_archives) return nullptr;
    archive::Options archives;
    if (auto rules = beneath(options); !rules.keeps_nothing())
        archives.leaves_out = [rules = std::move(rules)](const archive::Candidate& one) {
            return rules.keeps_back({.folder = one.folder, .asked = one.asked, .path = one.path});
        };
    auto made = archive::around(inner, options.site, std::move(archives));
    if (!made) return std::unexpected{"--archive: " + made.error()};
    return made;
}

}  // namespace weir::cli
