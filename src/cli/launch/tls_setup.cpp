#include "cli/launch/tls_setup.h"

#include <unistd.h>

#include <array>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/announce/urls.h"
#include "cli/launch/acme_setup.h"
#include "cli/options/state_folder.h"
#include "cli/reload/generation.h"
#include "net/system/system_limits.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

/// Adds the hosts by which clients may reach an address. Of the machine's addresses, only IPv4 ones
/// are added: IPv6 addresses may change daily (RFC 8981), and the certificate with them.
void add_hosts(std::set<std::string>& hosts, const net::Address& address) {
    if (address.is_unix()) return;
    if (!address.is_any()) {
        hosts.insert(address.host());
        return;
    }
    for (auto& host : machine_addresses())
        if (host.find(':') == std::string::npos) hosts.insert(std::move(host));
}

std::vector<std::string> names(const server::Options& options) {
    std::set<std::string> hosts{"127.0.0.1", "::1"};
    for (const std::string& text : options.addresses)
        for (const net::Address& address : server::parse_endpoints(text, options.port))
            add_hosts(hosts, address);
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0 && host[0] != '\0')
        hosts.insert(host.data());
    std::vector<std::string> all{"localhost"};
    all.insert(all.end(), hosts.begin(), hosts.end());
    return all;
}

std::string facts_of(const tls::KeptCertificate& kept) {
    return std::string{kept.is_new ? ", made now" : ""} + ", valid until " + kept.valid_until +
           ": " + kept.files.chain;
}

std::string in_words(const tls::KeptCertificate& kept, const std::string& folder,
                     OwnCertificate own) {
    if (own == OwnCertificate::local)
        return "certificate from the local CA" + facts_of(kept) +
               "\n  to trust the CA on this machine: weir trust; elsewhere: copy " +
               local_ca_in(folder) + "\n";
    return "self-signed certificate" + facts_of(kept) + "\n  its SHA-256 fingerprint is " +
           kept.fingerprint + "\n  to trust it: curl --cacert " + kept.files.chain +
           "; in a browser, compare the fingerprint before you accept it\n";
}

/// Adds the certificate that weir keeps, and a text about it for the banner.
std::expected<void, std::string> add_own(tls::Settings& settings, std::string& words,
                                         const LaunchOptions& options) {
    const auto folder = state_folder();
    if (folder.empty())
        return std::unexpected{std::string{no_place_for_certificates} +
                               ", or give one by --tls-cert"};
    const OwnCertificate own = options.tls.own;
    const auto kept = own == OwnCertificate::local
                          ? tls::keep_locally_signed(folder, names(options.server))
                          : tls::keep_self_signed(folder, names(options.server));
    if (!kept) return std::unexpected{kept.error()};
    settings.certificates = {kept->files};
    words = in_words(*kept, folder, own);
    return {};
}

}  // namespace

std::vector<std::string> own_keys() {
    const auto folder = state_folder();
    if (folder.empty()) return {};
    return {folder + "/weir.key", folder + "/local.key", folder + "/local-ca.key"};
}

std::expected<TlsSetup, std::string> set_up_tls(const LaunchOptions& options) try {
    TlsSetup setup;
    if (!options.tls.on) return setup;
    if (!options.tls.acme.hosts.empty()) {
        auto ready = prepare_acme(options);
        if (!ready) return std::unexpected{"--domain: " + ready.error()};
        setup.acme = std::move(*ready);
        setup.in_words = in_words(options.tls.acme);
    }
    if (const auto why = tls::unavailable(); !why.empty())
        return std::unexpected{"--tls: " + std::string{why}};
    tls::Settings settings = options.tls.settings;
    if (settings.certificates.empty())
        if (auto added = add_own(settings, setup.in_words, options); !added)
            return std::unexpected{"--tls: " + added.error()};
    if (settings.tickets.empty()) settings.ticket_secret = shared_ticket_secret();
    setup.reads = tls::paths_read(settings);
    auto layer = tls::open(std::move(settings));
    if (!layer) return std::unexpected{"--tls: " + layer.error()};
    setup.layer = std::move(*layer);
    return setup;
} catch (const std::system_error& error) {
    return std::unexpected{net::with_limit("--tls", error.code()) + ": " + error.code().message()};
}

}  // namespace weir::cli
