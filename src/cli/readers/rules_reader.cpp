#include "cli/readers/rules_reader.h"

#include "cli/readers/rule_parsers.h"

namespace weir::cli {

void RulesReader::add() {
    reader_.group("Rules", true);
    add_access();
    add_moves();
}

void RulesReader::add_access() {
    reader_.values("--auth", "'PATHS: FILE'", options_.auth, parse_auth,
                   "Ask for a user and a password of an htpasswd file, for some paths such as "
                   "'/private/**' (without 'PATHS: ', for all); `weir password` makes its lines; "
                   "can be repeated");
    needing_auth_ = {
        reader_.value("--realm", "TEXT", options_.realm, parse_realm,
                      "What browsers show when they ask for the password (default: weir)"),
        reader_.value("--auth-tries", "N", options_.auth_tries, parse_tries,
                      "Wrong passwords in a minute from one IPv4 address or one IPv6 /64; further "
                      "ones are answered 429; 0 means no limit (default: 10)"),
    };
    reader_.values("--allow", "NETWORK", options_.access, parse_allow,
                   "Let only these in: 192.0.2.0/24, 2001:db8::/32, an address, or unix; with "
                   "'PATHS: ' in front, for some paths; can be repeated");
    reader_.values("--deny", "NETWORK", options_.access, parse_deny,
                   "Answer these 403, as with --allow; the smallest network that contains a "
                   "client decides; can be repeated");
    reader_.value("--maintenance", "FILE", options_.maintenance, parse_text,
                  "While this file is there, answer everything 503, with the file as the page");
    maintenance_allow_ =
        reader_.values("--maintenance-allow", "NETWORK", options_.maintenance_allow,
                       rules::Network::parse, "Let these see the site meanwhile; can be repeated");
    reader_.flag("--security-headers", options_.security_headers,
                 "Add X-Frame-Options, Referrer-Policy and similar headers to every answer that "
                 "does not have them");
}

void RulesReader::add_moves() {
    reader_.values("--redirect", "'PATTERN: [STATUS] TARGET'", options_.redirects,
                   rules::Move::parse_redirect,
                   "Redirect a path, as in '/old/{page}: 301 /new/{page}'; {rest...} at the end "
                   "matches the rest of a path; can be repeated, the first that matches wins");
    reader_.values("--rewrite", "'PATTERN: TARGET'", options_.rewrites, rules::Move::parse_rewrite,
                   "Serve another path of the site in place of this one; can be repeated, the "
                   "first that matches wins");
    reader_.value("--prefix", "/PATH", options_.prefix, rules::PrefixPath::parse,
                  "Serve the site below this path, and 404 elsewhere");
}

void RulesReader::finish() const {
    if (options_.auth.empty())
        for (const OptionReader::Added* const added : needing_auth_)
            if (added->count() > 0) throw WrongUse{added->given_by + " needs --auth"};
    if (options_.maintenance.empty() && maintenance_allow_->count() > 0)
        throw WrongUse{maintenance_allow_->given_by + " needs --maintenance"};
    if (const auto endless = rules::find_endless(options_.redirects); !endless.empty())
        throw WrongUse{"--redirect: '" + endless +
                       "' leads from redirect to redirect without an end"};
}

}  // namespace weir::cli
