#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/requires_cxx23.h"

namespace weir::http {
class Layer;
}  // namespace weir::http

/// TLS for a server: the library weir-tls, which needs OpenSSL 3.
///
///     auto tls = weir::tls::open({.certificates = {{"fullchain.pem", "privkey.pem"}}});
///     if (!tls) return fail(tls.error());
///     weir::server::Server server{handler, {.addresses = {":443"}, .tls = *tls}};
///
/// The engines `prefork` and `fork-per-connection` fork while the server runs. A forked process has
/// the locks of OpenSSL as they are at that moment, and waits for ever for one that another thread
/// held. So a program that uses OpenSSL on threads of its own while the server runs must take another
/// engine. Handlers may use it with every engine.
namespace weir::tls {

/// A certificate with the chain that leads to a root, and its key: files in PEM.
struct CertificateFiles {
    /// Or a folder: each NAME.crt or NAME.pem with a NAME.key beside it, and each fullchain.pem with
    /// a privkey.pem beside it, in the folder and in those that it contains.
    std::string chain;
    /// Empty: the key is in the file of the chain.
    std::string key{};
};

struct Settings {
    /// The first is for clients that name no host, or an unknown one. Certificates of the same names
    /// with keys of different kinds (ECDSA, RSA) stand beside each other: each client gets the one
    /// that it can use.
    std::vector<CertificateFiles> certificates{};

    enum class ClientCertificate : std::uint8_t {
        off,      // the client is not asked for one
        ask,      // one that does not come from a CA of `client_ca` ends the handshake
        require,  // none ends it, too
    };
    ClientCertificate client_certificate = ClientCertificate::off;
    /// The CAs (PEM) that a client's certificate may come from.
    std::string client_ca{};

    /// A file with a secret of 32 bytes or more, from which the keys of session tickets are derived.
    /// Servers with the same secret resume each other's sessions. The keys change every 12 hours.
    /// Empty: a secret of this process and those that it forks.
    std::string tickets{};
    /// OCSP responses (DER) to staple, each for the certificate that it speaks of.
    std::vector<std::string> staples{};

    /// For the whole handshake; 0: no limit.
    std::chrono::milliseconds handshake_timeout{10'000};
    /// Handshakes that have begun and not ended, per worker; at least 1. Further connections wait,
    /// within the same time. Each takes some 50 KB.
    std::uint32_t handshakes_max = 512;
};

/// Why this build has no TLS, so that open() fails; empty if it has.
std::string_view unavailable() noexcept;

/// Reads all files. Returns what server::Options::tls takes: for one server, at most. Or a sentence
/// that says which file is wrong, and why. Throws std::bad_alloc, and std::system_error if the system
/// has no descriptor left.
///
/// While a server uses it, it watches the files, and reads them again when they change, or upon
/// Server::reload(). If one of them is wrong, everything stays as it was, and the server's log says
/// why. The log also warns of a certificate that has expired, is not valid yet, or expires within a
/// week, and of a name that clients ask for most and that no certificate covers.
std::expected<std::shared_ptr<http::Layer>, std::string> open(Settings settings);

/// The files and folders that it reads while a server uses it: for sandbox::Allowed::read.
std::vector<std::string> paths_read(const Settings& settings);

struct SelfSigned {
    CertificateFiles files;
    std::string fingerprint;  // SHA-256: "AB:CD:..."
    std::string valid_until;  // "2027-11-22"
    bool is_new = false;
};
/// A certificate (ECDSA P-256) for a year, which is its own root: `weir.crt` and `weir.key` (mode
/// 0600) in `folder`, which is made if it does not exist. Makes it if there is none, if it is for
/// other names than these (host names and addresses), or if it is valid for less than 30 days. Or a
/// sentence that says why it can't.
std::expected<SelfSigned, std::string> keep_self_signed(const std::string& folder,
                                                        const std::vector<std::string>& names);

}  // namespace weir::tls
