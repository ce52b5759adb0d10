#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/requires_cxx23.h"

namespace weir::http {
class Layer;
}  // namespace weir::http
namespace weir::http::client {
class ClientLayer;
}  // namespace weir::http::client

/// TLS for a server: the library weir-tls, which needs OpenSSL 3.
///
///     auto tls = weir::tls::open({.certificates = {{"fullchain.pem", "privkey.pem"}}});
///     if (!tls) return fail(tls.error());
///     weir::server::Server server{handler, {.addresses = {":443"}, .tls = *tls}};
///
/// The engines `prefork` and `fork-per-connection` fork while the server runs. A forked process
/// gets the locks of OpenSSL in their state at that moment. If another thread held a lock, the
/// process waits for it for ever. So a program that uses OpenSSL on threads of its own while the
/// server runs must take another engine. Handlers may use OpenSSL with every engine.
namespace weir::tls {

/// A certificate with the chain that leads to a root, and its key: files in PEM.
struct CertificateFiles {
    /// Or a folder: each NAME.crt or NAME.pem with a NAME.key beside it, and each fullchain.pem
    /// with a privkey.pem beside it, in the folder and in its subfolders.
    std::string chain;
    /// Empty: the key is in the file of the chain.
    std::string key{};
};

struct Settings {
    /// The first certificate is for clients that name no host, or an unknown one. Several
    /// certificates may have the same names with keys of different kinds (ECDSA, RSA): each client
    /// gets the one that it can use.
    std::vector<CertificateFiles> certificates{};

    enum class ClientCertificate : std::uint8_t {
        off,      // do not ask the client
        ask,      // a certificate from no CA of `client_ca` ends the handshake
        require,  // as `ask`, and a missing certificate ends the handshake, too
    };
    ClientCertificate client_certificate = ClientCertificate::off;
    /// The CAs (PEM) that a client's certificate may come from.
    std::string client_ca{};

    /// A file with a secret of 32 bytes or more, from which the keys of session tickets are
    /// derived. Servers with the same secret resume each other's sessions. The keys change every 12
    /// hours. Empty: a random secret for this process and the processes that it forks.
    std::string tickets{};
    /// The same secret as bytes, 32 or more, for a program that hands it to its successor. `tickets`
    /// goes before it. open() clears its copy.
    std::string ticket_secret{};
    /// OCSP responses (DER) to staple. Each names its certificate.
    std::vector<std::string> staples{};
    /// A folder with certificates for the challenge tls-alpn-01 of ACME (RFC 8737): HOST.pem, a key
    /// and a certificate in PEM, 64 KB at most, with HOST in lower case. A client that offers the
    /// protocol `acme-tls/1` alone, and names this host, gets this certificate, and no HTTP. Each
    /// of these handshakes reads its file again. Empty: no such client is served.
    std::string challenges{};

    /// For the whole handshake; 0: no limit.
    std::chrono::milliseconds handshake_timeout{10'000};
    /// Handshakes under way, per worker; at least 1. Further connections wait, and their wait
    /// counts towards the same time. Each handshake takes some 50 KB.
    std::uint32_t handshakes_max = 512;
};

/// The reason why this build has no TLS, so that open() fails; empty if it has TLS.
std::string_view unavailable() noexcept;

/// The name and version of the library that runs, "OpenSSL 3.0.17", which may be newer than the one
/// of the build; empty if this build has no TLS. Any thread may call it.
std::string library();

/// Reads all files. Returns a layer for server::Options::tls of one server at most. The error is a
/// sentence that names the wrong file and the reason. Throws std::bad_alloc, and std::system_error
/// if the system has no descriptor left.
///
/// While a server uses the layer, the layer watches the files, and reads them again when they
/// change, or upon Server::reload(). If a file is wrong, everything stays as it was, and the
/// server's log gives the reason. The log also warns of a certificate that has expired, is not
/// valid yet, or expires within a week, and of a name that clients ask for most and that no
/// certificate covers.
std::expected<std::shared_ptr<http::Layer>, std::string> open(Settings settings);

/// The files and folders that a layer reads while a server uses it: for sandbox::Allowed::read.
std::vector<std::string> paths_read(const Settings& settings);

/// TLS to other servers, for web::ClientOptions::tls and proxy::Options::tls.
struct ClientSettings {
    /// The CAs (PEM) that a server's certificate may come from. Empty: those of the system, or of
    /// the variables SSL_CERT_FILE and SSL_CERT_DIR (openssl-env(7)).
    std::string ca{};
    /// For servers that ask for a client's certificate. A chain, not a folder; empty: there is none.
    CertificateFiles certificate{};
};

/// Returns a layer for any number of clients. A server must have a certificate for the host of its
/// URL. Connections to a host resume the sessions of those before, without a new check of its
/// certificate, for as long as the host says. The error is a sentence that names the wrong file and
/// the reason. Throws std::bad_alloc.
std::expected<std::shared_ptr<http::client::ClientLayer>, std::string> open_client(
    const ClientSettings& settings = {});

/// A warning for the operator, if the client's certificate has expired, is not valid yet, or
/// expires within a week; else empty.
std::string concern(const ClientSettings& settings);

/// A certificate in files that weir makes and keeps.
struct KeptCertificate {
    CertificateFiles files;
    std::string fingerprint;  // SHA-256: "AB:CD:..."
    std::string valid_until;  // "2027-11-22"
    bool is_new = false;
};

// Each of the next three keeps NAME.crt and NAME.key (ECDSA P-256, mode 0600) in `folder`, which it
// makes if it does not exist. The error is one sentence.

/// Keeps a self-signed certificate that is valid for a year: `weir.crt`. Makes it if there is none,
/// if it lacks one of `names` (host names and addresses), or if it is valid for less than 30 days.
std::expected<KeptCertificate, std::string> keep_self_signed(const std::string& folder,
                                                             const std::vector<std::string>& names);

/// Keeps a CA for this machine that is valid for ten years: `local-ca.crt`. A program that trusts
/// it trusts each certificate that its key signs, so the key must stay where it is. Makes the CA if
/// there is none, or if it is valid for less than 400 days. It is an error if the files are there
/// and cannot be used.
std::expected<KeptCertificate, std::string> keep_local_ca(const std::string& folder);

/// The same as keep_self_signed(), with a certificate that this CA has signed: `local.crt`.
std::expected<KeptCertificate, std::string> keep_locally_signed(
    const std::string& folder, const std::vector<std::string>& names);

/// Makes the certificate of a challenge, for HOST.pem in Settings::challenges: its key and itself in
/// PEM. It is self-signed, for this host (a name or an address) alone. `digest` is the SHA-256 of
/// the key authorization (RFC 8555 8.1). The error is one sentence. Any thread may call it.
std::expected<std::string, std::string> make_challenge(const std::string& host,
                                                       std::span<const unsigned char, 32> digest);

/// Makes a self-signed certificate for these names and addresses, valid for 90 days: its key
/// and itself in PEM. A server can begin with it, while a CA makes one that clients trust. The error is
/// one sentence. Any thread may call it.
std::expected<std::string, std::string> make_placeholder(const std::vector<std::string>& names);

struct CaCertificate {
    std::string pem;
    std::string fingerprint;  // SHA-256: "AB:CD:..."
};
/// Reads the first certificate of a file (PEM), which must be a CA's. The error is one sentence.
std::expected<CaCertificate, std::string> read_ca(const std::string& path);

}  // namespace weir::tls
