#include "cli/launch/access_around.h"

#include <utility>

#include "cli/access/crypt.h"
#include "cli/launch/fields_around.h"
#include "rules/addressed.h"
#include "rules/site_fields.h"
#include "weir/rules/folder_rules.h"
#include "weir/rules/maintenance.h"
#include "weir/rules/moves.h"
#include "weir/rules/security_headers.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

void warn(std::string_view sentence) {
    server::standard_error_log().write(server::Severity::warning, sentence);
}

bool has_fields(const SiteOptions& options) {
    return adds_fields(options) && has_rules_around(options);
}

}  // namespace

template <typename Make>
void AccessAround::put(bool is_wanted, std::string_view option, Make make) {
    if (!is_wanted || !refusal_.empty()) return;
    Made made = make(*outermost_);
    if (!made) {
        refusal_.append(option).append(": ").append(made.error());
        return;
    }
    outermost_ = made->get();
    handlers_.push_back(std::move(*made));
}

/// Only this file defines the order of the handlers, from the innermost to the outermost.
std::expected<AccessAround, std::string> AccessAround::build(const SiteOptions& options,
                                                             const site::Site& site,
                                                             http::Handler& contents) {
    AccessAround around{site, contents};
    around.put(has_fields(options), "--header",
               [](http::Handler& inner) -> Made { return rules::mark_complete(inner); });
    around.put_protection(options);
    around.put_addresses(options);
    if (!around.refusal_.empty()) return std::unexpected{std::move(around.refusal_)};
    return around;
}

/// Puts the handlers that depend on the path. They see both the path that is served and the path of
/// the request.
void AccessAround::put_protection(const SiteOptions& options) {
    using http::Handler;
    const site::Options& site = options.site;
    const AccessOptions& access = options.access;
    const RuleOptions& rules = options.rules;
    put(!rules.prefix.empty(), "--prefix", [&](Handler& inner) -> Made {
        return std::make_unique<rules::BelowPrefix>(inner, *rules::PrefixPath::parse(rules.prefix));
    });
    put(!access.passwords.rules.empty(), "--auth",
        [&](Handler& inner) { return ask_passwords(inner, options); });
    put(!access.signed_links.empty(), "--signed",
        [&](Handler& inner) { return access::ask_signatures(inner, site, access.signed_links); });
    put(!rules.redirects.empty(), "--redirect", [&](Handler& inner) {
        return rules::redirect_below(inner, rules.redirects, !rules.prefix.empty());
    });
    put(!access.rates.empty(), "--rate",
        [&](Handler& inner) { return access::limit_rates(inner, site, access.rates); });
    put(!access.networks.empty(), "--allow",
        [&](Handler& inner) { return access::limit_networks(inner, site, access.networks); });
}

/// Puts the handlers that come before these: they choose the path that is served, and whether there
/// is a site.
void AccessAround::put_addresses(const SiteOptions& options) {
    using http::Handler;
    const RuleOptions& rules = options.rules;
    put(rules.folder_rules, "--folder-rules",
        [&](Handler& inner) { return follow_folder(inner, options); });
    put(!rules.rewrites.empty() || !rules.prefix.empty(), "--rewrite",
        [&](Handler& inner) { return rules::lead(inner, rules.rewrites, rules.prefix); });
    put(!rules.maintenance.empty(), "--maintenance", [&](Handler& inner) {
        return rules::close_for_maintenance(inner, rules.maintenance, rules.maintenance_except);
    });
    put(has_fields(options), "--header", [&](Handler& inner) {
        return rules::complete_unmarked(inner, options.site, rules::Preflights::unless_refused);
    });
    put(rules.security_headers, "--security-headers",
        [](Handler& inner) -> Made { return rules::add_security_headers(inner); });
}

AccessAround::Made AccessAround::ask_passwords(http::Handler& inner, const SiteOptions& options) {
    auto made = passwords_around(inner, options.site, options.access.passwords);
    if (!made) return std::unexpected{std::move(made.error())};
    passwords_ = made->get();
    return std::move(*made);
}

AccessAround::Made AccessAround::follow_folder(http::Handler& inner,
                                               const SiteOptions& options) const {
    return rules::follow_folder_rules(
        inner, *contents_, *site_,
        {.below_prefix = !options.rules.prefix.empty(),
         .notice = [root = options.site.root + "/"](std::string_view sentence) {
             warn(root + std::string{sentence});
         }});
}

std::string AccessAround::user_of(const http::Request& request) const {
    return passwords_ != nullptr ? passwords_->user_of(request) : std::string{};
}

std::expected<std::unique_ptr<access::PasswordHandler>, std::string> passwords_around(
    http::Handler& inner, const site::Options& site, access::PasswordOptions passwords) {
    if (const auto why = crypt_unavailable(); !why.empty())
        return std::unexpected{std::string{why}};
    passwords.crypt = hashed_like;
    passwords.notice = warn;
    return access::ask_passwords(inner, site, std::move(passwords));
}

std::vector<std::string> files_read(const SiteOptions& options) {
    std::vector<std::string> files;
    for (const access::PasswordRule& rule : options.access.passwords.rules)
        if (!rule.file.empty()) files.push_back(rule.file);
    if (!options.upload.users.empty()) files.push_back(options.upload.users);
    return files;
}

std::vector<std::string> folders_read(const SiteOptions& options) {
    std::vector<std::string> folders;
    auto files = files_read(options);
    if (!options.rules.maintenance.empty()) files.push_back(options.rules.maintenance);
    for (const std::string& file : files)
        for (std::string& place : site::places_of_root(file)) folders.push_back(std::move(place));
    return folders;
}

}  // namespace weir::cli
