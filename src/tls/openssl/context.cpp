#include "tls/openssl/context.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <new>
#include <utility>

#include "http/syntax/lower_case.h"
#include "tls/files/certificate_files.h"
#include "tls/openssl/certificate_text.h"
#include "tls/openssl/challenge.h"
#include "tls/openssl/last_words.h"
#include "tls/openssl/openssl_session.h"
#include "tls/openssl/pem_files.h"

namespace weir::tls {
namespace {

// Mozilla's intermediate configuration (wiki.mozilla.org/Security/Server_Side_TLS) without the
// ciphers of finite-field Diffie-Hellman, which cost most, and which no client of today needs. AES
// with 128 bits is first, because it costs least. A client that puts ChaCha20 first has no AES in
// hardware, and gets ChaCha20.
constexpr const char* ciphers_of_1_2 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* ciphers_of_1_3 =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
constexpr const char* groups = "X25519:prime256v1:secp384r1";

constexpr std::uint64_t options = SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                  SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA;

// OpenSSL resumes a session only if its context is the same. All servers of weir have the same one.
constexpr std::string_view session_id_context = "weir";

constexpr std::size_t name_bytes_max = 255;  // RFC 1035 2.3.4

std::expected<void, std::string> set_client_certificate(SSL_CTX& context,
                                                        const Settings& settings) {
    using enum Settings::ClientCertificate;
    if (settings.client_certificate == off) return {};
    if (const auto first = read_certificate(settings.client_ca); !first)
        return std::unexpected{first.error()};
    const int required =
        settings.client_certificate == require ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0;
    SSL_CTX_set_verify(&context, SSL_VERIFY_PEER | required, nullptr);
    auto* const names = SSL_load_client_CA_file(settings.client_ca.c_str());
    if (names) SSL_CTX_set_client_CA_list(&context, names);
    if (names && SSL_CTX_load_verify_file(&context, settings.client_ca.c_str()) == 1) return {};
    return std::unexpected{settings.client_ca + " can't be used: " + last_words()};
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

std::string served_text(const X509& certificate, const std::vector<std::string>& names) {
    std::string text = names.empty() ? "a certificate without names" : "";
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
            session_id_context.size()) != 1 ||
        SSL_CTX_set_app_data(context, this) != 1)
        return std::unexpected{"OpenSSL can't do what is wanted: " + last_words()};
    SSL_CTX_set_options(context, options);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);  // tickets need no memory
    SSL_CTX_set_timeout(context, TicketKeys::period_seconds);
    SSL_CTX_set_num_tickets(context, 1);
    SSL_CTX_set_max_early_data(context, 0);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, this);
    SSL_CTX_set_tlsext_servername_callback(context, choose_certificate);
    SSL_CTX_set_tlsext_servername_arg(context, this);
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, use_ticket_keys);
    SSL_CTX_set_tlsext_status_cb(context, staple);
    SSL_CTX_set_tlsext_status_arg(context, this);
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    if (auto set = set_client_certificate(*context, settings); !set)
        return std::unexpected{set.error()};
    return made;
}

/// Reads the certificate first by itself, to get its names.
Context::Added Context::add(const CertificateFiles& files, const Settings& settings) {
    const auto certificate = read_certificate(files.chain);
    if (!certificate) return std::unexpected{certificate.error()};
    const auto key = read_key(files.key, files.chain, **certificate);
    if (!key) return std::unexpected{key.error()};
    const auto names = names_of(**certificate);
    SSL_CTX* context = find_beside(**certificate, names);
    if (!context) {
        auto made = make_context(settings);
        if (!made) return std::unexpected{made.error()};
        context = served_.emplace_back(std::move(*made), names).context.get();
        for (const std::string& name : names) by_name_.try_emplace(name, context);
    }
    if (auto used = use(*context, files.chain, **key); !used) return used;
    for (Served& one : served_)
        if (one.context.get() == context) one.text = served_text(**certificate, names);
    note_validity(files.chain, **certificate, *context);
    return {};
}

/// Notes the validity of the certificate, and of the CA certificates that are sent with it.
void Context::note_validity(const std::string& path, const X509& certificate, SSL_CTX& context) {
    const auto names = names_of(certificate);
    validities_.push_back(validity_of(
        certificate,
        "the certificate " + (names.empty() ? "" : "of " + names.front() + ' ') + "in " + path));
    STACK_OF(X509)* others = nullptr;
    SSL_CTX_ctrl(&context, SSL_CTRL_GET_CHAIN_CERTS, 0, static_cast<void*>(&others));
    for (int i = 0; i < sk_X509_num(others); ++i) {
        const X509& other = *sk_X509_value(others, i);
        validities_.push_back(
            validity_of(other, "the certificate of the CA " + subject_of(other) + " in " + path));
    }
}

SSL_CTX* Context::find_beside(const X509& certificate,
                              const std::vector<std::string>& names) const {
    for (const Served& one : served_)
        if (one.names == names && !has_certificate_like(*one.context, certificate))
            return one.context.get();
    return nullptr;
}

/// RFC 6125 6.4.3: a wildcard stands for the first label, and for no more. The function must not
/// throw, because OpenSSL calls it: it needs no memory.
SSL_CTX* Context::find(std::string_view name) const noexcept {
    std::array<char, name_bytes_max> room;
    if (name.size() > room.size()) return nullptr;
    std::ranges::transform(name, room.begin(), [](char c) { return http::lower_case(c); });
    const std::string_view asked{room.data(), name.size()};
    if (const auto found = by_name_.find(asked); found != by_name_.end()) return found->second;
    const auto dot = asked.find('.');
    if (dot == 0 || dot == std::string_view::npos) return nullptr;
    room[dot - 1] = '*';
    const auto found = by_name_.find(asked.substr(dot - 1));
    return found == by_name_.end() ? nullptr : found->second;
}

// ---- callbacks of OpenSSL ----

/// If client and server have no protocol in common, the handshake fails (RFC 7301 3.2).
int Context::choose_protocol(SSL* ssl, const unsigned char** out, unsigned char* out_size,
                             const unsigned char* in, unsigned in_size, void* context) {
    const auto& own = *static_cast<const Context*>(context);
    const std::string_view ours =
        is_challenge(ssl) ? protocols_of_challenge : std::string_view{own.common_->protocols};
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
    if (is_challenge(ssl)) return SSL_TLSEXT_ERR_OK;  // and its certificate stays
    const auto& own = *static_cast<const Context*>(context);
    SSL_CTX* const found = own.find(asked);
    if (own.common_->asked.note(asked, found != nullptr, std::time(nullptr)))
        own.common_->wake_up.set_now();
    if (found && found != SSL_get_SSL_CTX(ssl)) SSL_set_SSL_CTX(ssl, found);
    return SSL_TLSEXT_ERR_OK;
}

int Context::staple(SSL* ssl, void* context) {
    const X509* const certificate = SSL_get_certificate(ssl);
    if (!certificate) return SSL_TLSEXT_ERR_NOACK;
    for (const Staple& one : static_cast<const Context*>(context)->staples_) {
        if (!one.is_for(*certificate) || !one.is_valid(std::time(nullptr))) continue;
        // The SSL frees the copy.
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
    // A client of TLS 1.3 uses a ticket once (RFC 8446 C.4), so each resumed session gets a new
    // one.
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
    challenges_ = settings.challenges;
    if (!challenges_.empty()) answer_challenges(*served_.front().context, challenges_);
    if (!settings.tickets.empty()) {
        auto keys = TicketKeys::read(settings.tickets);
        if (!keys) return std::unexpected{keys.error()};
        tickets_ = *keys;
    }
    for (const std::string& path : settings.staples) {
        auto staple = Staple::read(path);
        if (!staple) return std::unexpected{staple.error()};
        validities_.push_back({.name = "the OCSP response in " + path,
                               .until = staple->valid_until(),
                               .told_before = 0});
        staples_.push_back(std::move(*staple));
    }
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

std::vector<std::string> Context::concerns(std::int64_t now) const {
    std::vector<std::string> all;
    for (const Validity& each : validities_)
        if (auto sentence = each.sentence(now); !sentence.empty())
            all.push_back(std::move(sentence));
    return all;
}

std::int64_t Context::next_concern(std::int64_t now) const noexcept {
    std::int64_t next = INT64_MAX;
    for (const Validity& each : validities_) next = std::min(next, each.next(now));
    return next;
}

std::string Context::first_name() const {
    const auto& names = served_.front().names;
    return names.empty() ? "no name" : names.front();
}

std::string Context::text() const {
    std::string text;
    for (const Served& one : served_) text += (text.empty() ? "" : "; ") + one.text;
    return text;
}

}  // namespace weir::tls
