#include "cli/launch/access_around.h"

#include <utility>

#include "cli/access/crypt.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

void warn(std::string_view sentence) {
    server::standard_error_log().write(server::Severity::warning, sentence);
}

}  // namespace

/// The order of the handlers stands here alone, from the innermost to the outermost.
std::expected<AccessAround, std::string> AccessAround::build(const ServeOptions& options,
                                                             http::Handler& site) {
    AccessAround around{site};
    if (!options.access.passwords.rules.empty())
        if (auto asked = around.ask_passwords(options); !asked)
            return std::unexpected{"--auth: " + asked.error()};
    if (!options.access.signed_links.empty()) {
        auto made =
            access::ask_signatures(*around.outermost_, options.site, options.access.signed_links);
        if (!made) return std::unexpected{"--signed: " + made.error()};
        around.put(std::move(*made));
    }
    if (!options.access.rates.empty()) {
        auto made = access::limit_rates(*around.outermost_, options.site, options.access.rates);
        if (!made) return std::unexpected{"--rate: " + made.error()};
        around.put(std::move(*made));
    }
    if (!options.access.networks.empty()) {
        auto made =
            access::limit_networks(*around.outermost_, options.site, options.access.networks);
        if (!made) return std::unexpected{"--allow: " + made.error()};
        around.put(std::move(*made));
    }
    const ProxyOptions& proxies = options.access.proxies;
    if (!proxies.trusted.empty()) {
        auto made = access::trust_proxies(*around.outermost_, proxies.trusted, proxies.field);
        if (!made) return std::unexpected{"--trust: " + made.error()};
        around.put(std::move(*made));
    }
    return around;
}

std::expected<void, std::string> AccessAround::ask_passwords(const ServeOptions& options) {
    if (const auto why = crypt_unavailable(); !why.empty())
        return std::unexpected{std::string{why}};
    access::PasswordOptions passwords = options.access.passwords;
    passwords.crypt = hashed_like;
    passwords.notice = warn;
    auto made = access::ask_passwords(*outermost_, options.site, std::move(passwords));
    if (!made) return std::unexpected{std::move(made.error())};
    passwords_ = made->get();
    put(std::move(*made));
    return {};
}

std::function<std::string(const http::Request&)> AccessAround::user() const {
    if (passwords_ == nullptr) return {};
    return [passwords = passwords_](const http::Request& request) {
        return passwords->user_of(request);
    };
}

void AccessAround::put(std::unique_ptr<http::Handler> handler) {
    outermost_ = handler.get();
    handlers_.push_back(std::move(handler));
}

std::vector<std::string> files_read(const AccessOptions& options) {
    std::vector<std::string> files;
    for (const access::PasswordRule& rule : options.passwords.rules)
        if (!rule.file.empty()) files.push_back(rule.file);
    return files;
}

std::vector<std::string> folders_read(const AccessOptions& options) {
    std::vector<std::string> folders;
    for (const std::string& file : files_read(options))
        for (std::string& place : site::places_of_root(file)) folders.push_back(std::move(place));
    return folders;
}

}  // namespace weir::cli
