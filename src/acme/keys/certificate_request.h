#pragma once

#include <expected>
#include <string>

#include "tls/openssl/handles.h"

namespace weir::acme {

/// A new key (ECDSA P-256), and the request for a certificate of it (RFC 2986).
struct CertificateRequest {
    tls::KeyHandle key;
    std::string key_pem;
    std::string der;
};

/// For the certificate of one host. The error is a sentence.
std::expected<CertificateRequest, std::string> make_request(const std::string& host);

}  // namespace weir::acme
