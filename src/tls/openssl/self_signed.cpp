#include "tls/openssl/self_signed.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <string_view>

#include "tls/openssl/handles.h"

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

bool add_extension(X509& certificate, int kind, const std::string& value) {
    const ExtensionHandle extension{X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str())};
    return extension && X509_add_ext(&certificate, extension.get(), -1) == 1;
}

/// Sets a random number of 63 bits (CA/Browser Forum's requirements, 7.1: at least 64 for public
/// certificates).
bool set_serial(X509& certificate) {
    std::uint64_t serial = 0;
    return RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1 &&
           ASN1_INTEGER_set_uint64(X509_get_serialNumber(&certificate), serial >> 1 | 1) == 1;
}

bool set_name(X509& certificate, const std::string& name) {
    X509_NAME* const subject = X509_get_subject_name(&certificate);
    return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                      reinterpret_cast<const unsigned char*>(name.data()),
                                      static_cast<int>(name.size()), -1, 0) == 1 &&
           X509_set_issuer_name(&certificate, subject) == 1;
}

bool set_times(X509& certificate, int days) {
    return X509_gmtime_adj(X509_getm_notBefore(&certificate), -60L * 60) != nullptr &&
           X509_time_adj_ex(X509_getm_notAfter(&certificate), days, 0, nullptr) != nullptr;
}

std::string taken_from(BIO* bio) {
    char* text = nullptr;
    const long size = BIO_get_mem_data(bio, &text);
    return {text, static_cast<std::size_t>(size)};
}

}  // namespace

std::expected<MadeCertificate, std::string> make_self_signed(const std::vector<std::string>& names,
                                                             int days) {
    const KeyHandle key{EVP_EC_gen("P-256")};
    const CertificateHandle certificate{X509_new()};
    const BioHandle certificate_out{BIO_new(BIO_s_mem())}, key_out{BIO_new(BIO_s_mem())};
    X509* const made = certificate.get();
    const bool is_made =
        key && made && certificate_out && key_out && X509_set_version(made, 2) == 1 &&
        set_serial(*made) && set_times(*made, days) && set_name(*made, "weir, self-signed") &&
        X509_set_pubkey(made, key.get()) == 1 &&
        add_extension(*made, NID_subject_alt_name, alternative_names(names)) &&
        add_extension(*made, NID_basic_constraints, "critical,CA:FALSE") &&
        add_extension(*made, NID_key_usage, "critical,digitalSignature") &&
        add_extension(*made, NID_ext_key_usage, "serverAuth") &&
        X509_sign(made, key.get(), EVP_sha256()) != 0 &&
        PEM_write_bio_X509(certificate_out.get(), made) == 1 &&
        PEM_write_bio_PrivateKey(key_out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) ==
            1;
    if (!is_made) return std::unexpected{std::string{"OpenSSL can't make a certificate"}};
    return MadeCertificate{taken_from(certificate_out.get()), taken_from(key_out.get())};
}

}  // namespace weir::tls
