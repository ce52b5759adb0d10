#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::access {

using Sha256 = std::array<std::uint8_t, 32>;

/// FIPS 180-4.
Sha256 sha256(std::string_view bytes);
/// RFC 2104.
Sha256 hmac_sha256(std::string_view key, std::string_view bytes);

}  // namespace weir::access
