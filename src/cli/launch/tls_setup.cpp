#include "cli/launch/tls_setup.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/announce/urls.h"
#include "net/system/system_limits.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/// The folder for data that programs of this user make (XDG Base Directory Specification); a unit
/// of systemd names a folder of its own. Empty if there is no such folder.
std::string state_folder() {
    if (const auto of_unit = variable("STATE_DIRECTORY"); !of_unit.empty())
        return of_unit.substr(0, of_unit.find(':'));
    if (const auto of_user = variable("XDG_STATE_HOME"); of_user.starts_with('/'))
        return of_user + "/weir";
    if (const auto home = variable("HOME"); home.starts_with('/'))
        return home + "/.local/state/weir";
    return {};
}

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

std::string in_words(const tls::SelfSigned& made) {
    return std::string{"self-signed certificate"} + (made.is_new ? ", made now" : "") +
           ", valid until " + made.valid_until + ": " + made.files.chain +
           "\n  its SHA-256 fingerprint is " + made.fingerprint +
           "\n  to trust it: curl --cacert " + made.files.chain +
           "; in a browser, compare the fingerprint before you accept it\n";
}

}  // namespace

std::string own_key() {
    const auto folder = state_folder();
    return folder.empty() ? folder : folder + "/weir.key";
}

std::expected<TlsSetup, std::string> set_up_tls(const LaunchOptions& options) try {
    TlsSetup setup;
    if (!options.tls.on) return setup;
    if (const auto why = tls::unavailable(); !why.empty())
        return std::unexpected{"--tls: " + std::string{why}};
    tls::Settings settings = options.tls.settings;
    if (settings.certificates.empty()) {
        const auto folder = state_folder();
        if (folder.empty())
            return std::unexpected{
                "--tls: there is no place for a certificate: set HOME or XDG_STATE_HOME, or give "
                "one by --tls-cert"};
        const auto made = tls::keep_self_signed(folder, names(options.server));
        if (!made) return std::unexpected{"--tls: " + made.error()};
        settings.certificates = {made->files};
        setup.in_words = in_words(*made);
    }
    setup.reads = tls::paths_read(settings);
    auto layer = tls::open(std::move(settings));
    if (!layer) return std::unexpected{"--tls: " + layer.error()};
    setup.layer = std::move(*layer);
    return setup;
} catch (const std::system_error& error) {
    return std::unexpected{net::with_limit("--tls", error.code()) + ": " + error.code().message()};
}

}  // namespace weir::cli
