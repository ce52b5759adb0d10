#include "cli/launch/fields_around.h"

#include <algorithm>
#include <utility>

namespace weir::cli {

bool adds_fields(const SiteOptions& options) {
    return !options.site.cors_origins.empty() ||
           !std::ranges::all_of(options.site.fields, &site::FieldRule::delivered_only);
}

bool has_rules_around(const SiteOptions& options) {
    const AccessOptions& access = options.access;
    const RuleOptions& rules = options.rules;
    return !access.passwords.rules.empty() || !access.signed_links.empty() ||
           !access.networks.empty() || !access.rates.empty() || !rules.redirects.empty() ||
           !rules.prefix.empty() || !rules.maintenance.empty() || rules.folder_rules;
}

http::Handler& FieldsAround::inside(http::Handler& inner) {
    if (!is_on_) return inner;
    mark_ = rules::mark_complete(inner);
    return *mark_;
}

std::expected<http::Handler*, std::string> FieldsAround::outside(http::Handler& outer,
                                                                 rules::Preflights preflights) {
    if (!is_on_) return &outer;
    auto made = rules::complete_unmarked(outer, options_.site, preflights);
    if (!made) return std::unexpected{std::move(made.error())};
    completing_ = std::move(*made);
    return completing_.get();
}

}  // namespace weir::cli
