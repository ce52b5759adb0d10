#include "cli/readers/rules_reader.h"

#include "access/request/network.h"
#include "rules/moves/moves.h"
#include "rules/moves/prefix_path.h"

namespace weir::cli {
namespace {

/// Returns the text itself, if parsing it succeeded.
template <typename Read>
Parsed<std::string> text_if(const std::expected<Read, std::string>& parsed, std::string_view text) {
    if (!parsed) return std::unexpected{parsed.error()};
    return std::string{text};
}

Parsed<std::string> parse_redirect(std::string_view text) {
    return text_if(rules::Move::parse_redirect(text), text);
}
Parsed<std::string> parse_rewrite(std::string_view text) {
    return text_if(rules::Move::parse_rewrite(text), text);
}
Parsed<std::string> parse_prefix(std::string_view text) {
    return text_if(rules::PrefixPath::parse(text), text);
}
Parsed<std::string> parse_network(std::string_view text) {
    return text_if(access::Network::parse(text), text);
}

}  // namespace

void RulesReader::add() {
    reader_.group("Addresses", true);
    reader_.values("--redirect", "'PATTERN: [STATUS] TARGET'", options_.redirects, parse_redirect,
                   "Redirect a path, as in '/old/{page}: 301 /new/{page}'; {rest...} at the end "
                   "matches the rest of a path; can be repeated, the first that matches wins");
    reader_.values("--rewrite", "'PATTERN: TARGET'", options_.rewrites, parse_rewrite,
                   "Serve another path of the site in place of this one; can be repeated, the "
                   "first that matches wins");
    reader_.flag(
        "--folder-rules", options_.folder_rules,
        "Follow the files _headers and _redirects of the folder, as Netlify and Cloudflare "
        "Pages do");
    reader_.value("--prefix", "/PATH", options_.prefix, parse_prefix,
                  "Serve the site below this path, and 404 elsewhere");
    reader_.value("--maintenance", "FILE", options_.maintenance, parse_text,
                  "While this file is there, answer everything 503, with the file as the page");
    maintenance_except_ =
        reader_.values("--maintenance-except", "NETWORK", options_.maintenance_except,
                       parse_network, "Let these clients see the site meanwhile; can be repeated");
    reader_.flag("--security-headers", options_.security_headers,
                 "Add X-Frame-Options, Referrer-Policy and similar headers to each answer that "
                 "does not have them");
}

void RulesReader::finish() const {
    if (options_.maintenance.empty() && maintenance_except_->count() > 0)
        throw WrongUse{maintenance_except_->given_by + " needs --maintenance"};
    const auto redirects = rules::parse_moves(options_.redirects, rules::Move::parse_redirect);
    if (const auto endless = rules::find_endless(*redirects); !endless.empty())
        throw WrongUse{"--redirect: '" + endless +
                       "' leads from redirect to redirect without an end"};
}

}  // namespace weir::cli
