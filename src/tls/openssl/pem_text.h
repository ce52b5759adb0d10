#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <string>

namespace weir::tls {

// The text of a file in PEM; empty if OpenSSL has no memory for it.

std::string pem_of(const X509& certificate);
/// Without a passphrase.
std::string pem_of(const EVP_PKEY& key);

}  // namespace weir::tls
