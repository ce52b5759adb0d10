#include "weir/access/signed_links.h"

#include <algorithm>
#include <utility>

#include "access/links/link_key.h"
#include "access/request/request_path.h"
#include "http/syntax/lower_case.h"
#include "net/clock.h"
#include "site/path/target_path.h"
#include "weir/web/ready_middleware.h"

namespace weir::access {
namespace {

struct Rule {
    Paths paths;
    LinkKey key;
};

class SignedLinks final : public http::Handler {
   public:
    SignedLinks(http::Handler& inner, Addresses addresses, std::vector<Rule> rules)
        : inner_{inner}, addresses_{std::move(addresses)}, rules_{std::move(rules)} {}

    http::Reply handle(const http::Request& request) override {
        const auto [rule, is_ambiguous] = choose(rules_, names_behind(request, addresses_));
        if (is_ambiguous) return path_is_ambiguous();
        if (rule == nullptr) return inner_.handle(request);
        const auto claim = LinkClaim::from(request.query());
        // The path as a site reads it: another escape of a character makes no other link.
        const auto path = site::decoded_path(request.asked_path());
        if (!claim || !path ||
            !web::same_secret(claim->signature, rule->key.signature_of(*path, claim->expires)))
            return http::error_response(
                http::Status::forbidden,
                "This address needs a signature, and has none that is right");
        if (claim->expires <= net::read_clock().unix_seconds)
            return http::error_response(http::Status::forbidden, "This link has expired");
        return inner_.handle(request);
    }

   private:
    http::Handler& inner_;
    const Addresses addresses_;
    const std::vector<Rule> rules_;  // the most specific one first
};

/// Where the path of "https://example.org/a" begins: 0 in "/a". npos if there is none, or if the
/// scheme is not one of this server.
std::size_t path_begin(std::string_view url) noexcept {
    if (url.starts_with('/')) return 0;
    const std::size_t scheme = url.find("://");
    if (scheme == url.npos) return url.npos;
    const std::string name = http::lower_case(url.substr(0, scheme));
    return name == "http" || name == "https" ? url.find('/', scheme + 3) : url.npos;
}

/// The parts of a URL that a signature is about.
struct Parts {
    std::expected<std::string, http::Status> path;  // decoded, as a site reads it
    std::string_view parameters;
    bool has_query = false;
};

Parts parts_of(std::string_view url, std::size_t begin) {
    const std::size_t query = std::min(url.find('?', begin), url.size());
    return {.path = site::decoded_path(url.substr(begin, query - begin)),
            .parameters = url.substr(std::min(query + 1, url.size())),
            .has_query = query != url.size()};
}

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> ask_signatures(
    http::Handler& inner, const site::Options& site, const std::vector<SignedRule>& rules) {
    std::vector<Rule> made;
    for (const SignedRule& rule : rules) {
        if (auto refusal = Paths::refusal(rule.glob); !refusal.empty())
            return std::unexpected{std::move(refusal)};
        auto key = LinkKey::read(rule.key_file);
        if (!key) return std::unexpected{std::move(key.error())};
        insert_by_rank(made, Rule{.paths = Paths{rule.glob}, .key = std::move(*key)});
    }
    return std::make_unique<SignedLinks>(inner, Addresses{site}, std::move(made));
}

std::string refusal_to_sign(std::string_view url) {
    const auto refuse = [url](const char* why) { return "'" + std::string{url} + "' " + why; };
    const std::size_t begin = path_begin(url);
    if (begin == url.npos) return refuse("has no path; write /a.txt, or https://example.org/a.txt");
    if (std::ranges::any_of(url, [](char c) { return c <= ' ' || c == 0x7f || c == '#'; }))
        return refuse("has a space, a fragment, or bytes that a URL writes as %XX");
    const Parts parts = parts_of(url, begin);
    if (parts.parameters.contains("expires=") || parts.parameters.contains("signature="))
        return refuse("has a signature already");
    return parts.path ? std::string{} : refuse("has a path that weir does not serve");
}

std::expected<std::string, std::string> sign_link(std::string_view url, std::int64_t expires,
                                                  const std::string& key_file) {
    if (auto refusal = refusal_to_sign(url); !refusal.empty())
        return std::unexpected{std::move(refusal)};
    const Parts parts = parts_of(url, path_begin(url));
    const auto key = LinkKey::read(key_file);
    if (!key) return std::unexpected{key.error()};
    std::string link{url};
    link.append(parts.has_query ? "&" : "?");
    link.append("expires=").append(std::to_string(expires)).append("&signature=");
    return link + key->signature_of(*parts.path, expires);
}

}  // namespace weir::access
