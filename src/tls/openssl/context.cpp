#include "tls/openssl/context.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <string_view>
#include <utility>

#include "tls/openssl/openssl_session.h"

namespace weir::tls {
namespace {

// Mozilla's intermediate configuration (wiki.mozilla.org/Security/Server_Side_TLS) without the
// ciphers of finite-field Diffie-Hellman: they cost most, and no client of today needs them. The
// client chooses among them, as it knows whether it has AES in hardware.
constexpr const char* ciphers_of_1_2 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* groups = "X25519:prime256v1:secp384r1";

constexpr std::uint64_t options = SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                  SSL_OP_PRIORITIZE_CHACHA | SSL_OP_NO_ANTI_REPLAY;

std::string last_words() {
    std::string words = "unknown";
    if (const unsigned long error = ERR_peek_last_error())
        if (const char* const reason = ERR_reason_error_string(error)) words = reason;
    ERR_clear_error();
    return words;
}

constexpr std::size_t name_bytes_max = 255;  // RFC 1035 2.3.4

char to_lower(char letter) noexcept {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// As the client wants it: each name after its length (RFC 7301 3.1).
std::string on_the_wire(const std::vector<std::string>& protocols) {
    std::string out;
    for (const std::string& protocol : protocols) {
        out += static_cast<char>(protocol.size());
        out += protocol;
    }
    return out;
}

std::vector<std::string> names_of(const X509& certificate) {
    std::vector<std::string> names;
    auto* const found = static_cast<GENERAL_NAMES*>(
        X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr));
    for (int i = 0; i < sk_GENERAL_NAME_num(found); ++i) {
        const GENERAL_NAME* const name = sk_GENERAL_NAME_value(found, i);
        if (name->type != GEN_DNS) continue;
        const ASN1_IA5STRING* const text = name->d.dNSName;
        std::string& name_found =
            names.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                               static_cast<std::size_t>(ASN1_STRING_length(text)));
        std::ranges::transform(name_found, name_found.begin(), to_lower);
    }
    GENERAL_NAMES_free(found);
    return names;
}

}  // namespace

struct Context::Parts {
    std::string protocols;                // on the wire
    std::vector<ContextHandle> contexts;  // the first is where every session begins
    std::map<std::string, SSL_CTX*, std::less<>> by_name;

    std::expected<void, std::string> add(const CertificateFiles& files);
    std::expected<ContextHandle, std::string> make_context();
    SSL_CTX* find(std::string_view name) const noexcept;

    static int choose_protocol(SSL* ssl, const unsigned char** out, unsigned char* out_size,
                               const unsigned char* in, unsigned in_size, void* parts);
    static int choose_certificate(SSL* ssl, int* alert, void* parts);
};

std::expected<ContextHandle, std::string> Context::Parts::make_context() {
    ContextHandle made{SSL_CTX_new(TLS_server_method())};
    SSL_CTX* const context = made.get();
    if (!context || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_cipher_list(context, ciphers_of_1_2) != 1 ||
        SSL_CTX_set1_groups_list(context, groups) != 1)
        return std::unexpected{"OpenSSL can't do what is wanted: " + last_words()};
    SSL_CTX_set_options(context, options);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);  // tickets need no memory
    SSL_CTX_set_num_tickets(context, 1);
    SSL_CTX_set_max_early_data(context, 0);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, this);
    SSL_CTX_set_tlsext_servername_callback(context, choose_certificate);
    SSL_CTX_set_tlsext_servername_arg(context, this);
    return made;
}

std::expected<void, std::string> Context::Parts::add(const CertificateFiles& files) {
    auto made = make_context();
    if (!made) return std::unexpected{made.error()};
    SSL_CTX* const context = made->get();
    if (SSL_CTX_use_certificate_chain_file(context, files.chain.c_str()) != 1)
        return std::unexpected{files.chain + " has no certificate in PEM: " + last_words()};
    if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
        return std::unexpected{files.key + " has no key that belongs to " + files.chain + ": " +
                               last_words()};
    const X509* const certificate = SSL_CTX_get0_certificate(context);
    for (const std::string& name : names_of(*certificate)) by_name.try_emplace(name, context);
    contexts.push_back(std::move(*made));
    return {};
}

/// RFC 6125 6.4.3: a wildcard stands for the first label, and for no more. OpenSSL calls it, so it
/// must not throw: it needs no memory.
SSL_CTX* Context::Parts::find(std::string_view name) const noexcept {
    std::array<char, name_bytes_max> room;
    if (name.size() > room.size()) return nullptr;
    std::ranges::transform(name, room.begin(), to_lower);
    const std::string_view asked{room.data(), name.size()};
    if (const auto found = by_name.find(asked); found != by_name.end()) return found->second;
    const auto dot = asked.find('.');
    if (dot == 0 || dot == std::string_view::npos) return nullptr;
    room[dot - 1] = '*';
    const auto found = by_name.find(asked.substr(dot - 1));
    return found == by_name.end() ? nullptr : found->second;
}

/// Without one in common, the handshake fails (RFC 7301 3.2).
int Context::Parts::choose_protocol(SSL* /*ssl*/, const unsigned char** out,
                                    unsigned char* out_size, const unsigned char* in,
                                    unsigned in_size, void* parts) {
    const std::string& ours = static_cast<const Parts*>(parts)->protocols;
    unsigned char* chosen = nullptr;
    const int result = SSL_select_next_proto(&chosen, out_size,
                                             reinterpret_cast<const unsigned char*>(ours.data()),
                                             static_cast<unsigned>(ours.size()), in, in_size);
    *out = chosen;
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

int Context::Parts::choose_certificate(SSL* ssl, int* /*alert*/, void* parts) {
    const char* const asked = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    if (!asked) return SSL_TLSEXT_ERR_NOACK;
    SSL_CTX* const found = static_cast<const Parts*>(parts)->find(asked);
    if (found && found != SSL_get_SSL_CTX(ssl)) SSL_set_SSL_CTX(ssl, found);
    return SSL_TLSEXT_ERR_OK;
}

void Context::Free::operator()(Parts* parts) const noexcept { delete parts; }

Context::Context(std::unique_ptr<Parts, Free> parts) noexcept : parts_{std::move(parts)} {}

std::expected<Context, std::string> Context::make(const Settings& settings) {
    std::unique_ptr<Parts, Free> parts{new Parts};
    parts->protocols = on_the_wire(settings.protocols);
    for (const CertificateFiles& files : settings.certificates)
        if (auto added = parts->add(files); !added) return std::unexpected{added.error()};
    if (parts->contexts.empty()) return std::unexpected{std::string{"there is no certificate"}};
    return Context{std::move(parts)};
}

std::unique_ptr<Session> Context::session() const {
    return std::make_unique<OpenSslSession>(*parts_->contexts.front());
}

}  // namespace weir::tls
