#pragma once

#include <openssl/x509.h>

#include <string>
#include <vector>

namespace weir::tls {

/// The host names (in lower case) and addresses of a certificate.
std::vector<std::string> names_of(const X509& certificate);
/// A host name or an address as names_of() writes it.
std::string canonical_name(const std::string& name);
/// The last day on which a certificate is valid: "2027-11-22".
std::string valid_until(const X509& certificate);
/// SHA-256, as 64 hexadecimal digits in lower case.
std::string fingerprint_of(const X509& certificate);
/// The subject in the form of RFC 2253: "CN=ada,O=Example".
std::string subject_of(const X509& certificate);

}  // namespace weir::tls
