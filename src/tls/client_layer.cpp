#include <openssl/ssl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "http/client/client_layer.h"
#include "tls/connection/tls_connection.h"
#include "tls/openssl/algorithms.h"
#include "tls/openssl/handles.h"
#include "tls/openssl/last_words.h"
#include "tls/openssl/openssl_session.h"
#include "tls/openssl/pem_files.h"
#include "tls/openssl/validity.h"
#include "tls/resumable.h"
#include "weir/tls/tls.h"

namespace weir::tls {
namespace {

using http::client::Exchanges;
using http::client::Failure;
using http::client::LayerParts;

Failure failure_of(const OpenSslSession& refused) noexcept {
    switch (refused.verdict()) {
        case X509_V_OK: return Failure::insecure;
        case X509_V_ERR_CERT_HAS_EXPIRED:
        case X509_V_ERR_CERT_NOT_YET_VALID: return Failure::out_of_date;
        case X509_V_ERR_HOSTNAME_MISMATCH:
        case X509_V_ERR_IP_ADDRESS_MISMATCH: return Failure::wrong_host;
        default: return Failure::unknown_ca;
    }
}

/// A connection to another server, with all that it needs.
struct ClientParts {
    std::shared_ptr<LayerParts> thread;
    TlsFactories factories;
};
class ClientTls final : private ClientParts, public TlsConnection {
   public:
    ClientTls(ClientParts&& parts, http::Origin& origin, Now now)
        : ClientParts{std::move(parts)}, TlsConnection{factories, thread->workspace, origin, now} {}
};

class ClientTlsLayer final : public http::client::ClientLayer {
   public:
    explicit ClientTlsLayer(ContextHandle context)
        : context_{std::shared_ptr<SSL_CTX>{std::move(context)}} {}

    std::unique_ptr<http::Connection> connect(const std::string& host,
                                              std::shared_ptr<LayerParts> thread,
                                              std::shared_ptr<Exchanges> exchanges,
                                              http::Origin& origin, Now now) override {
        if (!thread->workspace.layer)
            thread->workspace.layer = std::make_unique_for_overwrite<Buffers>();
        TlsFactories factories;
        factories.is_client = true;
        factories.handshake_timeout = thread->timeouts.connect;
        factories.session = [kept = Kept{context_, resumable_.of(host)}, host] {
            auto session = std::make_unique<OpenSslSession>(
                *kept.context, std::make_shared<const Kept>(kept), host);
            kept.of_host->resume(session->handle());
            return session;
        };
        factories.refused = [exchanges](const Session& refused) {
            exchanges->refuse(failure_of(static_cast<const OpenSslSession&>(refused)));
        };
        factories.protocol = [exchanges, &parts = *thread](std::string_view, http::Workspace&,
                                                           http::Origin& inner, Now at) {
            return std::make_unique<http::client::ClientConnection>(exchanges, inner, parts.limits,
                                                                    parts.timeouts, at);
        };
        return std::make_unique<ClientTls>(ClientParts{std::move(thread), std::move(factories)},
                                           origin, now);
    }

   private:
    /// The objects that must live as long as a session.
    struct Kept {
        std::shared_ptr<SSL_CTX> context;
        std::shared_ptr<ResumableOfHost> of_host;
    };

    const std::shared_ptr<SSL_CTX> context_;
    Resumable resumable_;
};

/// The CAs of the system in one file, as Debian, Fedora, openSUSE and Alpine have it.
constexpr std::array<const char*, 4> bundles{
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
};

/// All are read now: OpenSSL reads its folder of CAs during handshakes, when the sandbox may hide
/// it.
bool add_authorities_of_system(SSL_CTX& context) {
    const bool are_chosen = std::getenv(X509_get_default_cert_file_env()) != nullptr ||
                            std::getenv(X509_get_default_cert_dir_env()) != nullptr;
    for (const char* const bundle : bundles)
        if (!are_chosen && ::access(bundle, R_OK) == 0)
            return SSL_CTX_load_verify_file(&context, bundle) == 1;
    return SSL_CTX_set_default_verify_paths(&context) == 1;
}

/// A file is read first by itself, here and below, for the error if it has no certificate.
std::expected<void, std::string> add_authorities(SSL_CTX& context, const std::string& file) {
    if (file.empty() && add_authorities_of_system(context)) return {};
    if (file.empty())
        return std::unexpected{"the CAs of the system can't be used: " + last_words()};
    if (const auto first = read_certificate(file); !first) return std::unexpected{first.error()};
    if (SSL_CTX_load_verify_file(&context, file.c_str()) == 1) return {};
    return std::unexpected{file + " can't be used: " + last_words()};
}

std::expected<void, std::string> add_certificate(SSL_CTX& context, const CertificateFiles& files) {
    if (files.chain.empty()) return {};
    const auto certificate = read_certificate(files.chain);
    if (!certificate) return std::unexpected{certificate.error()};
    const auto key = read_key(files.key, files.chain, **certificate, "--proxy-tls-key");
    if (!key) return std::unexpected{key.error()};
    return use(context, files.chain, **key);
}

}  // namespace

std::string concern(const ClientSettings& settings) {
    const std::string& path = settings.certificate.chain;
    if (path.empty()) return {};
    const auto certificate = read_certificate(path);
    if (!certificate) return {};
    return validity_of(**certificate, "the certificate for other servers in " + path)
        .sentence(std::time(nullptr));
}

std::expected<std::shared_ptr<http::client::ClientLayer>, std::string> open_client(
    const ClientSettings& settings) {
    if (auto loaded = load_algorithms(); !loaded) return std::unexpected{loaded.error()};
    ContextHandle context{SSL_CTX_new(TLS_client_method())};
    constexpr std::string_view alpn = "\x08http/1.1";
    if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_alpn_protos(context.get(), reinterpret_cast<const unsigned char*>(alpn.data()),
                                alpn.size()) != 0)
        return std::unexpected{"OpenSSL can't do what is wanted: " + last_words()};
    if (auto added = add_authorities(*context, settings.ca); !added)
        return std::unexpected{added.error()};
    if (auto added = add_certificate(*context, settings.certificate); !added)
        return std::unexpected{added.error()};
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_session_cache_mode(context.get(),
                                   SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context.get(), ResumableOfHost::keep);
    SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    return std::make_shared<ClientTlsLayer>(std::move(context));
}

}  // namespace weir::tls
