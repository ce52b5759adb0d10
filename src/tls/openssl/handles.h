#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>

namespace weir::tls {

/// Owners of objects of OpenSSL, each with the function that frees the object.
template <auto release>
struct Release {
    template <typename Of>
    void operator()(Of* handle) const noexcept {
        release(handle);
    }
};

using SslHandle = std::unique_ptr<SSL, Release<SSL_free>>;
using ContextHandle = std::unique_ptr<SSL_CTX, Release<SSL_CTX_free>>;
using KeyHandle = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using CertificateHandle = std::unique_ptr<X509, Release<X509_free>>;
using BioHandle = std::unique_ptr<BIO, Release<BIO_vfree>>;

}  // namespace weir::tls
