#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace weir::rules {

/// Why this build has no libcrypt; empty if it has it.
std::string_view crypt_unavailable() noexcept;

/// Longer ones are refused: libcrypt's limit.
inline constexpr std::size_t password_bytes_max = 511;

/// Whether the password has this hash. Takes as long as the hash wants, a second or so, and up to some
/// 16 MB of memory. Any thread; blocks.
bool has_hash(std::string_view password, const std::string& hash) noexcept;

/// The hash of a password, by "yescrypt", "bcrypt", "sha512" or "sha256", with a random salt. The error
/// is a sentence without its full stop.
std::expected<std::string, std::string> hash_of(std::string_view password, std::string_view method);

}  // namespace weir::rules
