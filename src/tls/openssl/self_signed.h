#pragma once

#include <expected>
#include <string>
#include <vector>

namespace weir::tls {

struct MadeCertificate {
    std::string certificate;  // PEM
    std::string key;          // PEM
};

/// A certificate (ECDSA P-256) for these names and addresses, which is its own root, from now on for
/// so many days. Or a sentence that says why OpenSSL can't make it. weir/tls/tls.h keeps it in files.
std::expected<MadeCertificate, std::string> make_self_signed(const std::vector<std::string>& names,
                                                             int days);

}  // namespace weir::tls
