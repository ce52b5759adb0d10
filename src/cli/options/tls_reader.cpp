#include "cli/options/tls_reader.h"

#include <chrono>
#include <filesystem>
#include <system_error>

#include "cli/option/endpoint_fault.h"
#include "cli/service/passed_addresses.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

using ClientCertificate = tls::Settings::ClientCertificate;

Parsed<ClientCertificate> parse_client_auth(std::string_view text) {
    if (text == "off") return ClientCertificate::off;
    if (text == "ask") return ClientCertificate::ask;
    if (text == "require") return ClientCertificate::require;
    return std::unexpected{"'" + std::string{text} + "' is neither off, ask nor require"};
}

Parsed<std::string> parse_redirect(std::string_view text) {
    if (is_passed_form(text) || !server::parse_endpoints(text, 0).empty()) return std::string{text};
    return std::unexpected{endpoint_fault(text)};
}

Parsed<std::uint64_t> parse_handshakes(std::string_view text) {
    return parse_count(text, 100'000, 1);
}

Parsed<OwnCertificate> parse_own(std::string_view text) {
    if (text.empty()) return OwnCertificate::self_signed;
    if (text == "local") return OwnCertificate::local;
    return std::unexpected{"'" + std::string{text} +
                           "' is not local; to serve a certificate of yours, use --tls-cert"};
}

bool is_folder(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error);
}

}  // namespace

void TlsReader::add() {
    reader_.group("TLS (HTTPS)");
    tls::Settings& settings = options_.tls.settings;
    own_option_ = reader_.optional_value(
        "--tls", "local", own_, parse_own, "",
        "Serve HTTPS; without --tls-cert, weir makes a self-signed certificate, or one from a "
        "local CA, which weir trust installs");
    reader_.let_sites_have(
        reader_.values("--tls-cert", "PATH", chains_, parse_text,
                       "Certificate and chain (PEM), or a folder of certificates and keys; "
                       "switches --tls on; can be repeated, the first is the default"));
    hsts_option_ = reader_.flag(
        "--hsts", hsts_, "Tell browsers to use only HTTPS, for a year (Strict-Transport-Security)");
    no_h2_option_ = reader_.flag("--no-h2", no_h2_, "Do not offer HTTP/2 over TLS");
    needing_tls_ = {
        reader_.values(
            "--tls-key", "FILE", keys_, parse_text,
            "Key (PEM) of each --tls-cert that is a file, in the same order (by default, it "
            "is in the certificate's file)"),
        reader_.values("--tls-redirect", "ADDRESS", options_.server.redirect_addresses,
                       parse_redirect,
                       "Listen here for plain HTTP, and redirect to HTTPS, except for "
                       "/.well-known/acme-challenge/; can be repeated (default port: 80)"),
        reader_.value("--tls-client-ca", "FILE", settings.client_ca, parse_text,
                      "CA certificates (PEM) that must have signed the clients' certificates"),
        client_auth_ = reader_.value(
            "--tls-client-auth", "off|ask|require", settings.client_certificate, parse_client_auth,
            "Whether clients must have a certificate (by default, require with --tls-client-ca)"),
        reader_.value("--tls-tickets", "FILE", settings.tickets, parse_text,
                      "Secret of 32 bytes or more, from which the keys of session tickets come; "
                      "servers with the same one resume each other's sessions"),
        reader_.values("--tls-ocsp", "FILE", settings.staples, parse_text,
                       "OCSP response (DER) to send with its certificate; can be repeated"),
        reader_.value("--tls-handshake-timeout", "TIME", settings.handshake_timeout, parse_duration,
                      "Time for a handshake; 0 means no limit (default: 10s)"),
        reader_.value("--tls-handshakes", "N", settings.handshakes_max, parse_handshakes,
                      "Handshakes at a time, for each worker; more wait (default: 512)"),
    };
    reader_.let_sites_have(needing_tls_.front());
}

void TlsReader::finish() {
    const bool is_from_ca = !options_.tls.settings.certificates.empty();
    options_.tls.on = own_ || !chains_.empty() || is_from_ca;
    if (own_) options_.tls.own = *own_;
    if (options_.tls.own == OwnCertificate::local && (is_from_ca || !chains_.empty()))
        throw WrongUse{own_option_->given_by + "=local makes a certificate, and " +
                       (is_from_ca ? "--domain gets" : "--tls-cert names") +
                       " one: give one of them"};
    if (!options_.tls.on) check_unused();
    check_redirects();
    pair_certificates();
    check_clients();
    if (hsts_) options_.server.hsts = std::chrono::days{365};
    options_.server.h2 = !no_h2_;
}

void TlsReader::check_unused() const {
    constexpr const char* needs = " needs --tls, --tls-cert or --domain";
    if (hsts_) throw WrongUse{hsts_option_->given_by + needs};
    if (no_h2_) throw WrongUse{no_h2_option_->given_by + needs};
    for (const OptionReader::Added* const added : needing_tls_)
        if (added->count() > 0) throw WrongUse{added->given_by + needs};
}

/// An address for redirects may not be one of --bind, too.
void TlsReader::check_redirects() const {
    const server::Options& server = options_.server;
    const auto repeated = server::find_repeated(
        {{server.addresses, server.port}, {server.redirect_addresses, server::redirect_port}});
    if (!repeated.empty()) throw WrongUse{"--tls-redirect: " + repeated};
}

void TlsReader::pair_certificates() {
    auto key = keys_.begin();
    for (const std::string& chain : chains_) {
        const bool has_key = !is_folder(chain) && key != keys_.end();
        options_.tls.settings.certificates.push_back({chain, has_key ? *key++ : std::string{}});
    }
    if (key != keys_.end())
        throw WrongUse{"--tls-key: there are more keys than certificates (--tls-cert)"};
}

void TlsReader::check_clients() {
    tls::Settings& settings = options_.tls.settings;
    if (!settings.client_ca.empty() && client_auth_->count() == 0)
        settings.client_certificate = ClientCertificate::require;
    if (settings.client_ca.empty() && settings.client_certificate != ClientCertificate::off)
        throw WrongUse{client_auth_->given_by +
                       " needs --tls-client-ca: a client's certificate must come from somewhere"};
}

}  // namespace weir::cli
