#include "tls/openssl/pem_files.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include <string_view>

#include "tls/files/read_whole.h"
#include "tls/openssl/last_words.h"

namespace weir::tls {
namespace {

using Pkcs12Handle = std::unique_ptr<PKCS12, Release<PKCS12_free>>;

// The labels of RFC 7468.
bool has_certificate(std::string_view pem) {
    return pem.contains("CERTIFICATE-----") && !pem.contains("BEGIN CERTIFICATE REQUEST");
}
bool has_key(std::string_view pem) { return pem.contains("PRIVATE KEY-----"); }
/// True for an encrypted key in PKCS #8, or in the older form of OpenSSL (RFC 1421 4.6.1.1).
bool is_encrypted(std::string_view pem) {
    return pem.contains("BEGIN ENCRYPTED PRIVATE KEY") || pem.contains("Proc-Type: 4,ENCRYPTED");
}

const unsigned char* bytes_of(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

BioHandle bio_of(const std::string& text) {
    return BioHandle{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
}

bool is_pkcs12(const std::string& bytes) {
    const unsigned char* at = bytes_of(bytes);
    const Pkcs12Handle found{d2i_PKCS12(nullptr, &at, static_cast<long>(bytes.size()))};
    ERR_clear_error();
    return found != nullptr;
}

bool is_certificate_in_der(const std::string& bytes) {
    const unsigned char* at = bytes_of(bytes);
    const CertificateHandle found{d2i_X509(nullptr, &at, static_cast<long>(bytes.size()))};
    ERR_clear_error();
    return found != nullptr;
}

bool is_key_in_der(const std::string& bytes) {
    const unsigned char* at = bytes_of(bytes);
    const KeyHandle found{d2i_AutoPrivateKey(nullptr, &at, static_cast<long>(bytes.size()))};
    ERR_clear_error();
    return found != nullptr;
}

std::string in_other_form(const std::string& path, const std::string& bytes) {
    const std::string pem = "; in PEM: openssl ";
    if (is_pkcs12(bytes)) return path + " is in PKCS #12" + pem + "pkcs12 -nodes -in " + path;
    if (is_certificate_in_der(bytes))
        return path + " is in DER" + pem + "x509 -inform der -in " + path;
    if (is_key_in_der(bytes)) return path + " is a key in DER" + pem + "pkey -in " + path;
    return {};
}

std::string no_certificate(const std::string& path, const std::string& bytes) {
    if (auto other = in_other_form(path, bytes); !other.empty()) return other;
    if (bytes.contains("BEGIN CERTIFICATE REQUEST") ||
        bytes.contains("BEGIN NEW CERTIFICATE REQUEST"))
        return path +
               " is a request for a certificate, and not the certificate that a CA makes of it";
    if (has_key(bytes)) return path + " has a key, and no certificate";
    if (bytes.contains("BEGIN PKCS7")) return path + " is in PKCS #7, and not in PEM";
    return path + " has no certificate in PEM";
}

std::string no_key(const std::string& path, const std::string& bytes,
                   std::string_view missing_option) {
    if (is_encrypted(bytes))
        return path +
               " has a key that is encrypted, and weir asks for no passphrase; write it without one: "
               "openssl pkey -in " +
               path + " -out NEW";
    if (!missing_option.empty())
        return path + " has no key in it, and no key is given for it (" +
               std::string{missing_option} + ")";
    if (auto other = in_other_form(path, bytes); !other.empty()) return other;
    if (bytes.contains("OPENSSH PRIVATE KEY")) return path + " is a key of SSH";
    if (has_key(bytes)) return path + " has a key that cannot be read: " + last_words();
    if (bytes.contains("PUBLIC KEY-----"))
        return path + " is a public key, and not the private one";
    if (has_certificate(bytes)) return path + " has a certificate, and no key";
    return path + " has no key in PEM";
}

/// True if a certificate after the first one has that key.
bool is_of_later_one(const std::string& chain, EVP_PKEY& key) {
    const auto bytes = read_whole(chain);
    const BioHandle file{bytes ? bio_of(*bytes) : nullptr};
    bool is_found = false;
    while (file && !is_found) {
        const CertificateHandle next{
            PEM_read_bio_X509(file.get(), nullptr, no_passphrase, nullptr)};
        if (!next) break;
        is_found = X509_check_private_key(next.get(), &key) == 1;
    }
    ERR_clear_error();
    return is_found;
}

std::string other_key(const std::string& path, const std::string& chain, EVP_PKEY& key) {
    if (is_of_later_one(chain, key))
        return chain + " begins with the certificate of a CA: the one of the server must be first";
    return path + " is the key of another certificate than " + chain;
}

/// The reason why OpenSSL refuses a certificate at its security level
/// (SSL_CTX_set_security_level(3)).
std::string why_unusable() {
    switch (ERR_GET_REASON(ERR_peek_error())) {
        case SSL_R_EE_KEY_TOO_SMALL:
        case SSL_R_CA_KEY_TOO_SMALL:
            ERR_clear_error();
            return " has a key that is too short to be safe";
        case SSL_R_CA_MD_TOO_WEAK:
            ERR_clear_error();
            return " is signed with a hash that is not safe";
        default: return " can't be used: " + last_words();
    }
}

}  // namespace

std::expected<void, std::string> use(SSL_CTX& context, const std::string& chain, EVP_PKEY& key) {
    if (SSL_CTX_use_certificate_chain_file(&context, chain.c_str()) == 1 &&
        SSL_CTX_use_PrivateKey(&context, &key) == 1)
        return {};
    return std::unexpected{chain + why_unusable()};
}

int no_passphrase(char* /*buffer*/, int /*size*/, int /*writes*/, void* /*data*/) { return -1; }

std::expected<CertificateHandle, std::string> read_certificate(const std::string& path) {
    const auto bytes = read_whole(path);
    if (!bytes) return std::unexpected{bytes.error()};
    const BioHandle file = bio_of(*bytes);
    CertificateHandle certificate{PEM_read_bio_X509(file.get(), nullptr, no_passphrase, nullptr)};
    if (certificate) return certificate;
    const std::string words = last_words();
    if (has_certificate(*bytes))
        return std::unexpected{path + " has a certificate that cannot be read: " + words};
    return std::unexpected{no_certificate(path, *bytes)};
}

std::expected<KeyHandle, std::string> read_key(const std::string& path, const std::string& chain,
                                               const X509& certificate, std::string_view option) {
    const std::string& where = path.empty() ? chain : path;
    const auto bytes = read_whole(where);
    if (!bytes) return std::unexpected{bytes.error()};
    const BioHandle file = bio_of(*bytes);
    KeyHandle key{PEM_read_bio_PrivateKey(file.get(), nullptr, no_passphrase, nullptr)};
    if (!key)
        return std::unexpected{no_key(where, *bytes, path.empty() ? option : std::string_view{})};
    if (X509_check_private_key(&certificate, key.get()) == 1) return key;
    ERR_clear_error();
    return std::unexpected{other_key(where, chain, *key)};
}

}  // namespace weir::tls
