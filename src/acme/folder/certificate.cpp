#include "acme/folder/certificate.h"

#include <openssl/asn1.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string_view>

#include "base/bytes/base64.h"
#include "tls/openssl/certificate_text.h"
#include "tls/openssl/pem_files.h"
#include "tls/openssl/validity.h"

namespace weir::acme {
namespace {

using AuthorityHandle = std::unique_ptr<AUTHORITY_KEYID, tls::Release<AUTHORITY_KEYID_free>>;

std::string text_of(const ASN1_STRING& bytes) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(&bytes)),
            static_cast<std::size_t>(ASN1_STRING_length(&bytes))};
}

/// The bytes of a serial number in DER: a first bit that is set would mean that it is negative.
std::string serial_of(X509& certificate) {
    std::string bytes = text_of(*X509_get_serialNumber(&certificate));
    if (!bytes.empty() && (static_cast<unsigned char>(bytes[0]) & 0x80U) != 0)
        bytes.insert(0, 1, '\0');
    return bytes;
}

/// RFC 9773 4.1: the identifier of the CA's key, and the serial number.
std::string id_of(X509& certificate) {
    const AuthorityHandle authority{static_cast<AUTHORITY_KEYID*>(
        X509_get_ext_d2i(&certificate, NID_authority_key_identifier, nullptr, nullptr))};
    if (!authority || !authority->keyid) return {};
    return base64url_encoded(text_of(*authority->keyid)) + '.' +
           base64url_encoded(serial_of(certificate));
}

bool is_for(X509& certificate, const std::string& host) {
    return X509_check_host(&certificate, host.data(), host.size(), 0, nullptr) == 1;
}

}  // namespace

Certificate facts_of(X509& certificate) {
    return {.from = tls::unix_seconds_of(*X509_get0_notBefore(&certificate)),
            .until = tls::unix_seconds_of(*X509_get0_notAfter(&certificate)),
            .last_day = tls::valid_until(certificate),
            .is_placeholder = X509_self_signed(&certificate, 1) == 1,
            .id = id_of(certificate)};
}

std::optional<Certificate> read_certificate(const std::string& path, const std::string& host) {
    const auto certificate = tls::read_certificate(path);
    if (!certificate || !is_for(**certificate, host) || !tls::read_key({}, path, **certificate))
        return std::nullopt;
    return facts_of(**certificate);
}

std::string why_useless(const std::string& chain, EVP_PKEY& key, const std::string& host) {
    const tls::BioHandle memory{BIO_new_mem_buf(chain.data(), static_cast<int>(chain.size()))};
    const tls::CertificateHandle first{
        memory ? PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr) : nullptr};
    if (!first) return "the CA has sent no certificate";
    if (X509_check_private_key(first.get(), &key) != 1)
        return "the CA has sent a certificate of another key";
    return is_for(*first, host) ? "" : "the CA has sent a certificate of another name";
}

}  // namespace weir::acme
