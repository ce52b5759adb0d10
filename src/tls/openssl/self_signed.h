#pragma once

#include <expected>
#include <string>
#include <vector>

namespace weir::tls {

struct MadeCertificate {
    std::string certificate;  // PEM
    std::string key;          // PEM
};

/// Makes a self-signed certificate (ECDSA P-256) for these names and addresses, valid for `days`
/// days. The error is one sentence. keep_self_signed() keeps the certificate in files.
std::expected<MadeCertificate, std::string> make_self_signed(const std::vector<std::string>& names,
                                                             int days);

}  // namespace weir::tls
