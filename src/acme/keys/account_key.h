#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "acme/json/json.h"
#include "tls/openssl/handles.h"

namespace weir::acme {

/// The key of an account (ECDSA P-256).
class AccountKey {
   public:
    /// Reads the key of this file, or makes one (mode 0600). The error is a sentence.
    static std::expected<AccountKey, std::string> keep(const std::string& path);

    /// RFC 7517, RFC 7518 6.2: the public part.
    const Json& jwk() const noexcept { return jwk_; }
    /// RFC 7638.
    std::string thumbprint() const;
    /// True if the key was in the file: the CA may know it.
    bool is_old() const noexcept { return is_old_; }
    /// A signature of ES256 (RFC 7518 3.4): 64 bytes. Throws std::runtime_error.
    std::string sign(std::string_view text) const;

   private:
    // Braces would make a list of the JSON.
    AccountKey(tls::KeyHandle key, Json jwk, bool is_old)
        : key_{std::move(key)}, jwk_(std::move(jwk)), is_old_{is_old} {}

    tls::KeyHandle key_;
    Json jwk_;
    bool is_old_;
};

}  // namespace weir::acme
