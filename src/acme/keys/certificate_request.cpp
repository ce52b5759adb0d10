#include "acme/keys/certificate_request.h"

#include <openssl/x509v3.h>

#include <memory>
#include <utility>

#include "tls/openssl/pem_text.h"

namespace weir::acme {
namespace {

using RequestHandle = std::unique_ptr<X509_REQ, tls::Release<X509_REQ_free>>;

void free_extensions(STACK_OF(X509_EXTENSION) * all) {
    sk_X509_EXTENSION_pop_free(all, X509_EXTENSION_free);
}
using ExtensionsHandle = std::unique_ptr<STACK_OF(X509_EXTENSION), tls::Release<free_extensions>>;

/// Adds the name as subjectAltName, which alone counts (RFC 8555 7.4, RFC 6125 6.4.4).
bool add_name(X509_REQ& request, const std::string& host) {
    const ExtensionsHandle all{sk_X509_EXTENSION_new_null()};
    X509_EXTENSION* const name =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + host).c_str());
    if (!all || !name || sk_X509_EXTENSION_push(all.get(), name) == 0) {
        X509_EXTENSION_free(name);
        return false;
    }
    return X509_REQ_add_extensions(&request, all.get()) == 1;
}

std::string der_of(X509_REQ& request) {
    std::string der;
    const int size = i2d_X509_REQ(&request, nullptr);
    if (size <= 0) return der;
    der.resize(static_cast<std::size_t>(size));
    auto* out = reinterpret_cast<unsigned char*>(der.data());
    i2d_X509_REQ(&request, &out);
    return der;
}

}  // namespace

std::expected<CertificateRequest, std::string> make_request(const std::string& host) {
    CertificateRequest made{.key = tls::KeyHandle{EVP_EC_gen("P-256")}, .key_pem = {}, .der = {}};
    const RequestHandle request{X509_REQ_new()};
    if (made.key && request && X509_REQ_set_pubkey(request.get(), made.key.get()) == 1 &&
        add_name(*request, host) &&
        X509_REQ_sign(request.get(), made.key.get(), EVP_sha256()) != 0) {
        made.key_pem = tls::pem_of(*made.key);
        made.der = der_of(*request);
        if (!made.key_pem.empty() && !made.der.empty()) return made;
    }
    return std::unexpected{std::string{"OpenSSL can't make a request for a certificate"}};
}

}  // namespace weir::acme
