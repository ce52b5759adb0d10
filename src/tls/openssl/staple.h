#pragma once

#include <openssl/x509.h>

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace weir::tls {

/// An OCSP response (RFC 6960) that the server sends along with its certificate (RFC 6066 8), so
/// that clients need not ask the CA.
class Staple {
   public:
    /// Reads a response in DER. The error is one sentence.
    static std::expected<Staple, std::string> read(const std::string& path);

    /// True if the response is about this certificate.
    bool is_for(const X509& certificate) const noexcept;
    /// Clients refuse a response that is out of date.
    bool is_valid(std::int64_t unix_seconds) const noexcept { return unix_seconds < valid_until_; }
    std::int64_t valid_until() const noexcept { return valid_until_; }
    const std::vector<unsigned char>& bytes() const noexcept { return bytes_; }

   private:
    Staple() = default;

    std::vector<unsigned char> bytes_;
    std::vector<unsigned char> serial_;  // of the certificate, in DER
    std::int64_t valid_until_ = INT64_MAX;
};

}  // namespace weir::tls
