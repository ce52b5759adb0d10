#include "cli/access/access_reader.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "access/password/htpasswd.h"
#include "access/request/network.h"
#include "access/request/request_path.h"
#include "base/trimmed.h"
#include "cli/access/rate.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

/// An option for some paths: "/private/**: rest".
struct ForPaths {
    std::string_view paths{};  // a pattern; empty: all
    std::string_view rest{};
};

/// If there is no colon, the whole text is the rest, for all paths.
Parsed<ForPaths> parse_for_paths(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == text.npos) return ForPaths{.rest = trimmed(text)};
    const std::string_view paths = trimmed(text.substr(0, colon));
    if (auto refusal = access::Paths::refusal(paths); !refusal.empty())
        return std::unexpected{std::move(refusal)};
    return ForPaths{.paths = paths, .rest = trimmed(text.substr(colon + 1))};
}

/// The same with a file as the rest. `example` has the expected form.
Parsed<ForPaths> parse_file_for_paths(std::string_view text, const char* example) {
    auto parsed = parse_for_paths(text);
    if (parsed && parsed->rest.empty())
        return std::unexpected{"'" + std::string{text} +
                               "' is not of the form 'FILES: FILE', as in '" + example + "'"};
    return parsed;
}

/// The text after the colon may be a password, so no message repeats it.
std::string no_file(std::string_view paths, const std::string& file) {
    const bool may_be_password = !paths.empty() && paths.find_first_of("/*?.") == paths.npos;
    const std::string what =
        may_be_password ? "what follows the colon is no file" : "there is no file '" + file + "'";
    const std::string name{may_be_password ? paths : "NAME"};
    return what + "; `weir password " + name + " >FILE` makes one";
}

/// Any regular file may be a key; the content is checked when the key is read.
Parsed<access::SignedRule> parse_signed(std::string_view text) {
    const auto parsed = parse_file_for_paths(text, "/private: key");
    if (!parsed) return std::unexpected{parsed.error()};
    return access::SignedRule{.glob = std::string{parsed->paths},
                              .key_file = std::string{parsed->rest}};
}

Parsed<access::PasswordRule> parse_auth(std::string_view text) {
    const auto parsed = parse_file_for_paths(text, "/private/**: users");
    if (!parsed) return std::unexpected{parsed.error()};
    std::string file{parsed->rest};
    std::error_code error;
    if (!std::filesystem::exists(file, error) && !error)
        return std::unexpected{no_file(parsed->paths, file)};
    return access::PasswordRule{.glob = std::string{parsed->paths}, .file = std::move(file)};
}

/// The message contains no part of the hash, which may be a password.
Parsed<std::string> parse_user(std::string_view text) {
    if (const auto user = access::Users::parse_one(text); !user)
        return std::unexpected{"the text " + user.error() +
                               "; in a shell, it needs single quotes, because of the dollar signs"};
    return std::string{text};
}

/// True if the first colon may be that of an IPv6 address, and not that behind FILES.
bool begins_as_address(std::string_view text) {
    return text.find_first_not_of("0123456789abcdefABCDEF") == text.find(':') &&
           !text.contains(' ');
}

/// IPv6 addresses also have colons, so the text is first parsed as a network alone.
Parsed<access::NetworkRule> parse_network(std::string_view text, bool allows) {
    const auto alone = access::Network::parse(text);
    if (alone) return access::NetworkRule{.network = std::string{text}, .allows = allows};
    const auto parsed = parse_for_paths(text);
    if (!parsed) return std::unexpected{parsed.error()};
    if (const auto network = access::Network::parse(parsed->rest); !network)
        return std::unexpected{begins_as_address(text) ? alone.error() : network.error()};
    return access::NetworkRule{
        .glob = std::string{parsed->paths}, .network = std::string{parsed->rest}, .allows = allows};
}

Parsed<access::NetworkRule> parse_allow(std::string_view text) { return parse_network(text, true); }

Parsed<access::NetworkRule> parse_deny(std::string_view text) { return parse_network(text, false); }

Parsed<access::RateRule> parse_rate_of_paths(std::string_view text) {
    const auto parsed = parse_for_paths(text);
    if (!parsed) return std::unexpected{parsed.error()};
    auto rate = parse_rate(parsed->rest);
    if (rate) rate->glob = parsed->paths;
    return rate;
}

/// The limit exists because a larger number would allow endless tries.
Parsed<std::uint64_t> parse_tries(std::string_view text) { return parse_count(text, 1'000'000); }

}  // namespace

void AccessReader::add() {
    reader_.group("Who may see it", true);
    add_passwords();
    add_signed_links();
    add_networks();
}

void AccessReader::add_passwords() {
    access::PasswordOptions& passwords = options_.passwords;
    reader_.values("--auth", "'FILES: FILE'", passwords.rules, parse_auth,
                   "Ask for a name and a password of an htpasswd file, for some files and folders "
                   "such as '/private' (without 'FILES: ', for all); `weir password` makes its "
                   "lines; can be repeated");
    reader_.values("--auth-user", "NAME:HASH", users_, parse_user,
                   "One more user, beside those of the files of --auth; without --auth, for all "
                   "files; can be repeated");
    tries_ = reader_.value("--auth-tries", "N", passwords.tries_per_minute, parse_tries,
                           "Passwords that one IPv4 address or one IPv6 /64 may try in a minute; "
                           "further ones are answered 429; 0: no limit (default: 10)");
    over_plain_ = reader_.flag("--auth-over-plain", options_.passwords_over_plain,
                               "Ask for passwords without TLS also where others reach the address: "
                               "anyone on the way can read them");
}

void AccessReader::add_signed_links() {
    reader_.values("--signed", "'FILES: FILE'", options_.signed_links, parse_signed,
                   "Serve some files and folders, or without 'FILES: ' all, only by links that a "
                   "secret in FILE has signed, and that have not expired; `weir sign` makes them; "
                   "can be repeated");
}

void AccessReader::add_networks() {
    reader_.values(
        "--allow", "'FILES: NETWORK'", options_.networks, parse_allow,
        "Let only these clients in: 192.0.2.0/24, 2001:db8::/32, an address, or unix for "
        "unix sockets; for some files and folders, or without 'FILES: ' for all; can be "
        "repeated");
    reader_.values(
        "--deny", "'FILES: NETWORK'", options_.networks, parse_deny,
        "Answer these clients 403, as with --allow; of several, the smallest network with "
        "the client decides; can be repeated");
    reader_.values(
        "--rate", "'FILES: N/s[ burst M]'", options_.rates, parse_rate_of_paths,
        "Requests that one IPv4 address or one IPv6 /64 may send, evenly and so many at "
        "once, as in '/api: 10/s burst 50'; also N/m and N/h; further ones are answered "
        "429; for some files and folders, or without 'FILES: ' for all; can be repeated");
}

void AccessReader::refuse_unused() const {
    const auto refuse = [](const OptionReader::Added& added) {
        throw WrongUse{added.given_by + " needs --auth, --auth-user or --upload-auth"};
    };
    if (tries_->count() > 0) refuse(*tries_);
    if (options_.passwords_over_plain) refuse(*over_plain_);
}

void AccessReader::finish(const LaunchOptions& launch, bool asks_for_others) {
    auto& rules = options_.passwords.rules;
    if (rules.empty() && users_.empty()) return asks_for_others ? void() : refuse_unused();
    if (rules.empty()) rules.emplace_back();
    for (access::PasswordRule& rule : rules) rule.users = users_;
    refuse_plain_passwords(launch, options_);
}

void refuse_plain_passwords(const LaunchOptions& launch, const AccessOptions& options) {
    if (!launch.tls.on && !options.passwords_over_plain &&
        !server::are_local(launch.server.addresses))
        throw WrongUse{
            "passwords without TLS at an address that others reach: anyone on the way could read "
            "them; add --tls, listen only for this machine (--bind 127.0.0.1), or add "
            "--auth-over-plain if the way is safe"};
}

}  // namespace weir::cli
