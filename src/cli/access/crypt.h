#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace weir::cli {

/// The reason why this build has no libcrypt; empty if it has it.
std::string_view crypt_unavailable() noexcept;

/// The limit of libcrypt; longer passwords are refused.
inline constexpr std::size_t password_bytes_max = 511;

/// The function for access::PasswordOptions::crypt. Blocks for as long as the hash requires, up to
/// a second or so, and takes up to some 16 MB of memory. Any thread may call it.
std::string hashed_like(const std::string& password, const std::string& hash) noexcept;

/// The hash of a password, by "yescrypt", "bcrypt" or "sha512", with a random salt. The error is a
/// sentence without its full stop.
std::expected<std::string, std::string> hash_of(const std::string& password,
                                                std::string_view method);

}  // namespace weir::cli
