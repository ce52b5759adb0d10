#include "tls/openssl/made_certificate.h"

#include <arpa/inet.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/hexadecimal.h"
#include "tls/openssl/pem_text.h"
#include "weir/tls/tls.h"

namespace weir::tls {
namespace {

using ExtensionHandle = std::unique_ptr<X509_EXTENSION, Release<X509_EXTENSION_free>>;

bool is_address(const std::string& name) {
    std::array<unsigned char, 16> address;
    return ::inet_pton(AF_INET, name.c_str(), address.data()) == 1 ||
           ::inet_pton(AF_INET6, name.c_str(), address.data()) == 1;
}

std::string alternative_names(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : ",") + std::string{is_address(name) ? "IP:" : "DNS:"} + name;
    return out;
}

struct Extension {
    const char* kind;  // a name of x509v3_config(5), or an OID
    std::string value;
};

/// The content of a certificate beside its key, its number and its time.
struct Content {
    std::string subject;
    std::vector<Extension> extensions;
};

/// `issuer` and `subject` are for extensions that name their keys.
bool add_extensions(X509& subject, X509& issuer, const std::vector<Extension>& extensions) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, &issuer, &subject, nullptr, nullptr, 0);
    return std::ranges::all_of(extensions, [&](const Extension& each) {
        const ExtensionHandle made{
            X509V3_EXT_nconf(nullptr, &context, each.kind, each.value.c_str())};
        return made && X509_add_ext(&subject, made.get(), -1) == 1;
    });
}

/// Sets a random number of 63 bits (CA/Browser Forum's requirements, 7.1: at least 64 for public
/// certificates).
bool set_serial(X509& certificate) {
    std::uint64_t serial = 0;
    return RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1 &&
           ASN1_INTEGER_set_uint64(X509_get_serialNumber(&certificate), serial >> 1 | 1) == 1;
}

bool set_name(X509_NAME* subject, const std::string& name) {
    return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                      reinterpret_cast<const unsigned char*>(name.data()),
                                      static_cast<int>(name.size()), -1, 0) == 1;
}

bool set_times(X509& certificate, int days) {
    return X509_gmtime_adj(X509_getm_notBefore(&certificate), -60L * 60) != nullptr &&
           X509_time_adj_ex(X509_getm_notAfter(&certificate), days, 0, nullptr) != nullptr;
}

/// Without an issuer the certificate signs itself.
bool fill(X509& made, EVP_PKEY& key, const Content& content, int days, const Issuer* issuer) {
    X509& above = issuer ? issuer->certificate : made;
    return X509_set_version(&made, 2) == 1 && set_serial(made) && set_times(made, days) &&
           set_name(X509_get_subject_name(&made), content.subject) &&
           X509_set_issuer_name(&made, X509_get_subject_name(&above)) == 1 &&
           X509_set_pubkey(&made, &key) == 1 && add_extensions(made, above, content.extensions) &&
           X509_sign(&made, issuer ? &issuer->key : &key, EVP_sha256()) != 0;
}

std::expected<MadeCertificate, std::string> make(const Content& content, int days,
                                                 const Issuer* issuer = nullptr) {
    const KeyHandle key{EVP_EC_gen("P-256")};
    const CertificateHandle made{X509_new()};
    if (!key || !made || !fill(*made, *key, content, days, issuer))
        return std::unexpected{std::string{"OpenSSL can't make a certificate"}};
    return MadeCertificate{pem_of(*made), pem_of(*key)};
}

constexpr const char* acme_identifier = "1.3.6.1.5.5.7.1.31";  // RFC 8737 6.1
constexpr int challenge_days = 7;
constexpr int placeholder_days = 90;

/// The value for an extension in DER: an OCTET STRING of 32 bytes (RFC 8737 3).
std::string authorization(std::span<const unsigned char, 32> digest) {
    std::string out = "critical,DER:0420";
    for (const unsigned char byte : digest) append_hex_byte(out, byte);
    return out;
}

std::expected<std::string, std::string> in_one(std::expected<MadeCertificate, std::string> made) {
    if (!made) return std::unexpected{std::move(made.error())};
    return made->key + made->certificate;
}

Content for_server(const std::string& subject, const std::vector<std::string>& names) {
    return {.subject = subject,
            .extensions = {{"subjectAltName", alternative_names(names)},
                           {"basicConstraints", "critical,CA:FALSE"},
                           {"keyUsage", "critical,digitalSignature"},
                           {"extendedKeyUsage", "serverAuth"}}};
}

}  // namespace

std::expected<MadeCertificate, std::string> make_self_signed(const std::vector<std::string>& names,
                                                             int days) {
    return make(for_server("weir, self-signed", names), days);
}

std::expected<MadeCertificate, std::string> make_signed(const std::vector<std::string>& names,
                                                        int days, Issuer issuer) {
    Content content = for_server("weir", names);
    content.extensions.push_back({"authorityKeyIdentifier", "keyid:always"});
    return make(content, days, &issuer);
}

std::expected<MadeCertificate, std::string> make_ca(const std::string& name, int days) {
    return make({.subject = name,
                 .extensions = {{"subjectKeyIdentifier", "hash"},
                                {"basicConstraints", "critical,CA:TRUE,pathlen:0"},
                                {"keyUsage", "critical,keyCertSign,cRLSign"}}},
                days);
}

std::expected<std::string, std::string> make_challenge(const std::string& host,
                                                       std::span<const unsigned char, 32> digest) {
    Content content = for_server("weir, challenge", {host});
    content.extensions.push_back({acme_identifier, authorization(digest)});
    return in_one(make(content, challenge_days));
}

std::expected<std::string, std::string> make_placeholder(const std::vector<std::string>& names) {
    return in_one(make_self_signed(names, placeholder_days));
}

}  // namespace weir::tls
