#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace weir::access {

/// A secret that signs links. The signature is for a path, until a time.
class LinkKey {
   public:
    static constexpr std::size_t bytes_min = 32;

    explicit LinkKey(std::string secret) : secret_{std::move(secret)} {}
    /// The error is a sentence without its full stop.
    static std::expected<LinkKey, std::string> read(const std::string& file);

    /// The signature of a path from site::target_path(): 43 characters of base64url (RFC 4648 5).
    std::string signature_of(std::string_view path, std::int64_t expires) const;

   private:
    std::string secret_;
};

/// The parameters of a signed link: "expires=1764100000&signature=...".
struct LinkClaim {
    std::int64_t expires = 0;  // seconds since 1970
    std::string_view signature{};

    /// Null if one of them is missing, malformed, or repeated.
    static std::optional<LinkClaim> from(std::string_view query) noexcept;
};

}  // namespace weir::access
