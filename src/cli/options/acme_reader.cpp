#include "cli/options/acme_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/options/state_folder.h"
#include "http/syntax/lower_case.h"
#include "rules/hosts.h"

namespace weir::cli {
namespace {

/// A name of letters, digits and hyphens within its labels, as CAs take them. The last label has a
/// letter; that of an IPv4 address has none.
bool is_public_name(std::string_view name) {
    const auto dot = name.rfind('.');
    const bool has_hyphen_outside =
        name.starts_with('-') || name.ends_with('-') || name.contains(".-") || name.contains("-.");
    return rules::host_key(name) == name && dot != std::string_view::npos && !has_hyphen_outside &&
           name.find_first_of("_[") == std::string_view::npos &&
           name.find_first_not_of("0123456789", dot + 1) != std::string_view::npos;
}

Parsed<std::string> parse_domain(std::string_view text) {
    std::string name = http::lower_case(text);
    if (is_public_name(name)) return name;
    const std::string quoted = "'" + std::string{text} + "'";
    if (text.starts_with("*."))
        return std::unexpected{quoted +
                               " needs the challenge dns-01, which weir does not have; "
                               "use --tls-cert with certbot or lego"};
    if (std::ranges::any_of(text, [](char c) { return c < 0; }))
        return std::unexpected{quoted + " must be in its ASCII form, as in xn--mnchen-3ya.de"};
    return std::unexpected{quoted + " is no name that a CA knows, such as example.org"};
}

Parsed<std::string> parse_directory(std::string_view text) {
    if (text == "staging") return std::string{acme::lets_encrypt_staging};
    constexpr std::string_view scheme = "https://";
    const bool is_one_word = std::ranges::none_of(text, [](char c) { return c <= ' '; });
    if (text.starts_with(scheme) && text.size() > scheme.size() && is_one_word)
        return std::string{text};
    return std::unexpected{"'" + std::string{text} +
                           "' is neither staging nor the URL of a CA's directory: https://..."};
}

Parsed<std::string> parse_email(std::string_view text) {
    const auto at = text.find('@');
    const bool is_address =
        at != 0 && at != std::string_view::npos && at + 1 < text.size() &&
        std::ranges::none_of(text, [](char c) { return c <= ' ' || c == ',' || c == '?'; });
    if (is_address) return std::string{text};
    return std::unexpected{"'" + std::string{text} + "' is no address of mail"};
}

/// The first one stays the first: its certificate is the default.
void remove_repeated(std::vector<std::string>& hosts) {
    std::vector<std::string> all;
    for (std::string& host : hosts)
        if (std::ranges::find(all, host) == all.end()) all.push_back(std::move(host));
    hosts = std::move(all);
}

/// A folder for each CA: an account belongs to one.
std::string folder_for(std::string_view directory) {
    std::string host{directory.substr(directory.find("://") + 3)};
    host = host.substr(0, host.find_first_of("/?"));
    std::ranges::replace(host, ':', '_');
    const auto all = acme_folders();
    return all.empty() ? all : all + host;
}

}  // namespace

void AcmeReader::add() {
    reader_.group("HTTPS by itself");
    acme::Settings& settings = options_.tls.acme;
    reader_.values(
        "--domain", "NAME", settings.hosts, parse_domain,
        "Get a certificate for this name from a CA, and renew it; switches --tls on, and "
        "listens on ports 443 and 80 unless --bind says otherwise; you agree to the "
        "CA's terms of service; can be repeated");
    needing_domain_ = {
        reader_.value("--acme", "URL", settings.directory, parse_directory,
                      "The CA: the URL of its directory (RFC 8555), or staging for the tests of "
                      "Let's Encrypt (by default, Let's Encrypt)"),
        reader_.value("--acme-email", "ADDRESS", settings.applicant.email, parse_email,
                      "Address of mail for the CA's messages"),
        reader_.value(
            "--acme-eab", "FILE", options_.tls.acme_account, parse_text,
            "File with the id of a key and the key (base64url), for a CA that wants an account"),
        reader_.value("--acme-ca", "FILE", settings.ca, parse_text,
                      "CA certificates (PEM) to trust the CA's server by (by default, those of the "
                      "system)"),
    };
}

void AcmeReader::finish() {
    acme::Settings& settings = options_.tls.acme;
    if (settings.hosts.empty()) {
        for (const OptionReader::Added* const added : needing_domain_)
            if (added->count() > 0) throw WrongUse{added->given_by + " needs --domain"};
        return;
    }
    settings.folder = folder_for(settings.directory);
    settings.answers_http = !options_.server.redirect_addresses.empty();
    remove_repeated(settings.hosts);
    tls::Settings& tls = options_.tls.settings;
    for (const std::string& host : settings.hosts)
        tls.certificates.push_back({acme::certificate_path(settings.folder, host), {}});
    tls.challenges = acme::challenges_path(settings.folder);
}

}  // namespace weir::cli
