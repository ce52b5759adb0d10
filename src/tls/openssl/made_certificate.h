#pragma once

#include <expected>
#include <string>
#include <vector>

#include "tls/openssl/handles.h"

namespace weir::tls {

struct MadeCertificate {
    std::string certificate;  // PEM
    std::string key;          // PEM
};

/// A CA, borrowed.
struct Issuer {
    X509& certificate;
    EVP_PKEY& key;
};

// Each function makes a certificate with a key (ECDSA P-256), valid for `days` days. The error is
// one sentence. kept_certificate.cpp keeps certificates in files.

/// Makes a self-signed certificate for these names and addresses.
std::expected<MadeCertificate, std::string> make_self_signed(const std::vector<std::string>& names,
                                                             int days);
/// Makes a certificate for these names and addresses, signed by a CA.
std::expected<MadeCertificate, std::string> make_signed(const std::vector<std::string>& names,
                                                        int days, Issuer issuer);
/// Makes a CA with that common name. It may sign certificates of servers, but no other CA.
std::expected<MadeCertificate, std::string> make_ca(const std::string& name, int days);

}  // namespace weir::tls
