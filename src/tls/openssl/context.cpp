#include "tls/openssl/context.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <new>
#include <utility>

#include "tls/files/certificate_files.h"
#include "tls/openssl/certificate_text.h"
#include "tls/openssl/last_words.h"
#include "tls/openssl/openssl_session.h"
#include "tls/openssl/rehearsal.h"

namespace weir::tls {
namespace {

// Mozilla's intermediate configuration (wiki.mozilla.org/Security/Server_Side_TLS) without the
// ciphers of finite-field Diffie-Hellman: they cost most, and no client of today needs them. AES with
// 128 bits is first, because it costs least. A client that puts ChaCha20 first has no AES in hardware,
// and gets ChaCha20.
constexpr const char* ciphers_of_1_2 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* ciphers_of_1_3 =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
constexpr const char* groups = "X25519:prime256v1:secp384r1";

constexpr std::uint64_t options = SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                  SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA;

// A session is resumed only where it was made: by servers that are alike.
constexpr std::string_view session_id_context = "weir";

constexpr std::size_t name_bytes_max = 255;  // RFC 1035 2.3.4

bool set_client_certificate(SSL_CTX& context, const Settings& settings) {
    using enum Settings::ClientCertificate;
    if (settings.client_certificate == off) return true;
    const int required =
        settings.client_certificate == require ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0;
    SSL_CTX_set_verify(&context, SSL_VERIFY_PEER | required, nullptr);
    auto* const names = SSL_load_client_CA_file(settings.client_ca.c_str());
    if (names) SSL_CTX_set_client_CA_list(&context, names);
    return names && SSL_CTX_load_verify_file(&context, settings.client_ca.c_str()) == 1;
}

bool has_certificate_like(SSL_CTX& context, const X509& certificate) {
    const int kind = EVP_PKEY_get_base_id(X509_get0_pubkey(&certificate));
    for (long more = SSL_CTX_set_current_cert(&context, SSL_CERT_SET_FIRST); more == 1;
         more = SSL_CTX_set_current_cert(&context, SSL_CERT_SET_NEXT)) {
        const X509* const other = SSL_CTX_get0_certificate(&context);
        if (other && EVP_PKEY_get_base_id(X509_get0_pubkey(other)) == kind) return true;
    }
    return false;
}

/// pem_password_cb(3): OpenSSL would ask on the terminal, and the start would wait.
int refuse_passphrase(char* /*into*/, int /*size*/, int /*for_writing*/, void* has_passphrase) {
    if (has_passphrase) *static_cast<bool*>(has_passphrase) = true;
    return -1;
}

std::string served_text(const X509& certificate, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text + " (until " + valid_until(certificate) + ")";
}

}  // namespace

std::string on_the_wire(const std::vector<std::string>& protocols) {
    std::string out;
    for (const std::string& protocol : protocols) {
        out += static_cast<char>(protocol.size());
        out += protocol;
    }
    return out;
}

std::expected<ContextHandle, std::string> Context::make_context(const Settings& settings) {
    ContextHandle made{SSL_CTX_new(TLS_server_method())};
    SSL_CTX* const context = made.get();
    if (!context || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_cipher_list(context, ciphers_of_1_2) != 1 ||
        SSL_CTX_set_ciphersuites(context, ciphers_of_1_3) != 1 ||
        SSL_CTX_set1_groups_list(context, groups) != 1 ||
        SSL_CTX_set_session_id_context(
            context, reinterpret_cast<const unsigned char*>(session_id_context.data()),
            session_id_context.size()) != 1)
        return std::unexpected{"OpenSSL can't do what is wanted: " + last_words()};
    SSL_CTX_set_options(context, options);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);  // tickets need no memory
    SSL_CTX_set_timeout(context, TicketKeys::period_seconds);
    SSL_CTX_set_num_tickets(context, 1);
    SSL_CTX_set_max_early_data(context, 0);
    SSL_CTX_set_app_data(context, this);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, this);
    SSL_CTX_set_tlsext_servername_callback(context, choose_certificate);
    SSL_CTX_set_tlsext_servername_arg(context, this);
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, use_ticket_keys);
    SSL_CTX_set_tlsext_status_cb(context, staple);
    SSL_CTX_set_tlsext_status_arg(context, this);
    if (!set_client_certificate(*context, settings))
        return std::unexpected{settings.client_ca + " has no certificate in PEM: " + last_words()};
    return made;
}

/// Read once by itself, to see for which names it is.
Context::Added Context::add(const CertificateFiles& files, const Settings& settings) {
    const BioHandle file{BIO_new_file(files.chain.c_str(), "r")};
    if (!file) return std::unexpected{"cannot read " + files.chain};
    const CertificateHandle certificate{PEM_read_bio_X509(file.get(), nullptr, nullptr, nullptr)};
    if (!certificate)
        return std::unexpected{files.chain + " has no certificate in PEM: " + last_words()};
    const auto names = names_of(*certificate);
    SSL_CTX* context = find_beside(*certificate, names);
    if (!context) {
        auto made = make_context(settings);
        if (!made) return std::unexpected{made.error()};
        context = served_.emplace_back(std::move(*made), names).context.get();
        for (const std::string& name : names) by_name_.try_emplace(name, context);
    }
    if (SSL_CTX_use_certificate_chain_file(context, files.chain.c_str()) != 1)
        return std::unexpected{files.chain + " can't be used: " + last_words()};
    if (auto added = add_key(*context, files); !added) return added;
    for (Served& one : served_)
        if (one.context.get() == context) one.text = served_text(*certificate, names);
    return {};
}

Context::Added Context::add_key(SSL_CTX& context, const CertificateFiles& files) {
    const std::string& key = files.key.empty() ? files.chain : files.key;
    bool has_passphrase = false;
    SSL_CTX_set_default_passwd_cb(&context, refuse_passphrase);
    SSL_CTX_set_default_passwd_cb_userdata(&context, &has_passphrase);
    const int used = SSL_CTX_use_PrivateKey_file(&context, key.c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_set_default_passwd_cb_userdata(&context, nullptr);
    if (used == 1) return {};
    const std::string why = last_words();
    if (has_passphrase)
        return std::unexpected{
            key +
            " has a passphrase, which weir does not ask for: write the key without one, by "
            "openssl pkey -in " +
            key + " -out FILE"};
    return std::unexpected{key + " has no key that belongs to " + files.chain + ": " + why};
}

SSL_CTX* Context::find_beside(const X509& certificate,
                              const std::vector<std::string>& names) const {
    for (const Served& one : served_)
        if (one.names == names && !has_certificate_like(*one.context, certificate))
            return one.context.get();
    return nullptr;
}

/// RFC 6125 6.4.3: a wildcard stands for the first label, and for no more. OpenSSL calls it, so it
/// must not throw: it needs no memory.
SSL_CTX* Context::find(std::string_view name) const noexcept {
    std::array<char, name_bytes_max> room;
    if (name.size() > room.size()) return nullptr;
    std::ranges::transform(name, room.begin(), to_lower);
    const std::string_view asked{room.data(), name.size()};
    if (const auto found = by_name_.find(asked); found != by_name_.end()) return found->second;
    const auto dot = asked.find('.');
    if (dot == 0 || dot == std::string_view::npos) return nullptr;
    room[dot - 1] = '*';
    const auto found = by_name_.find(asked.substr(dot - 1));
    return found == by_name_.end() ? nullptr : found->second;
}

// ---- what OpenSSL asks ----

/// Without one in common, the handshake fails (RFC 7301 3.2).
int Context::choose_protocol(SSL* /*ssl*/, const unsigned char** out, unsigned char* out_size,
                             const unsigned char* in, unsigned in_size, void* context) {
    const std::string& ours = static_cast<const Context*>(context)->common_->protocols;
    unsigned char* chosen = nullptr;
    const int result = SSL_select_next_proto(&chosen, out_size,
                                             reinterpret_cast<const unsigned char*>(ours.data()),
                                             static_cast<unsigned>(ours.size()), in, in_size);
    *out = chosen;
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

int Context::choose_certificate(SSL* ssl, int* /*alert*/, void* context) {
    const char* const asked = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    if (!asked) return SSL_TLSEXT_ERR_NOACK;
    SSL_CTX* const found = static_cast<const Context*>(context)->find(asked);
    if (found && found != SSL_get_SSL_CTX(ssl)) SSL_set_SSL_CTX(ssl, found);
    return SSL_TLSEXT_ERR_OK;
}

int Context::staple(SSL* ssl, void* context) {
    const X509* const certificate = SSL_get_certificate(ssl);
    if (!certificate) return SSL_TLSEXT_ERR_NOACK;
    for (const Staple& one : static_cast<const Context*>(context)->staples_) {
        if (!one.is_for(*certificate) || !one.is_valid(std::time(nullptr))) continue;
        // The SSL frees it.
        void* const copy = OPENSSL_memdup(one.bytes().data(), one.bytes().size());
        if (!copy) return SSL_TLSEXT_ERR_NOACK;
        SSL_set_tlsext_status_ocsp_resp(ssl, copy, static_cast<long>(one.bytes().size()));
        return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_NOACK;
}

const Context& Context::of(const SSL* ssl) noexcept {
    return *static_cast<const Context*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
}

int Context::use_ticket_keys(SSL* ssl, unsigned char* name, unsigned char* iv,
                             EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac, int encrypts) {
    const Context& context = of(ssl);
    const TicketKeys& keys = context.tickets_ ? *context.tickets_ : context.common_->tickets;
    const std::int64_t now = std::time(nullptr);
    if (encrypts != 0) return keys.encrypt(name, iv, cipher, mac, now);
    const int result = keys.decrypt(name, iv, cipher, mac, now);
    // A client of TLS 1.3 uses a ticket once (RFC 8446 C.4), so each resumed session gets a new one.
    constexpr int opens = 1, opens_and_a_new_one_is_due = 2;
    return result == opens && SSL_version(ssl) == TLS1_3_VERSION ? opens_and_a_new_one_is_due
                                                                 : result;
}

// ---- the whole ----

Context::Added Context::read(const Settings& settings) {
    const auto certificates = without_folders(settings.certificates);
    if (!certificates) return std::unexpected{certificates.error()};
    if (certificates->empty()) return std::unexpected{std::string{"there is no certificate"}};
    for (const CertificateFiles& files : *certificates)
        if (auto added = add(files, settings); !added) return added;
    if (!settings.tickets.empty()) {
        auto keys = TicketKeys::read(settings.tickets);
        if (!keys) return std::unexpected{keys.error()};
        tickets_ = *keys;
    }
    for (const std::string& path : settings.staples) {
        auto staple = Staple::read(path);
        if (!staple) return std::unexpected{staple.error()};
        staples_.push_back(std::move(*staple));
    }
    for (const Served& one : served_)
        if (const auto why = rehearse(*one.context))
            return std::unexpected{"a handshake with the certificate of " + one.text +
                                   " fails: " + *why};
    return {};
}

std::expected<std::shared_ptr<const Context>, std::string> Context::make(
    const Settings& settings, std::shared_ptr<const Common> common) {
    auto made = std::make_shared<Context>(Key{});
    made->common_ = std::move(common);
    if (auto read = made->read(settings); !read) return std::unexpected{read.error()};
    return made;
}

std::unique_ptr<Session> Context::session() const {
    return std::make_unique<OpenSslSession>(*served_.front().context, shared_from_this());
}

std::string Context::text() const {
    std::string text;
    for (const Served& one : served_) text += (text.empty() ? "" : "; ") + one.text;
    return text;
}

}  // namespace weir::tls
