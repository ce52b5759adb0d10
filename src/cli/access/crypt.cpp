#include "cli/access/crypt.h"

#include <crypt.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "base/last_error.h"

namespace weir::cli {
namespace {

/// Returns an empty text after a failure. libcrypt reads a password only up to a NUL, so such a
/// password is refused.
std::string hashed(const std::string& password, const char* setting) {
    if (password.contains('\0') || password.size() > password_bytes_max) return {};
    const auto data = std::make_unique<crypt_data>();
    const char* const result = ::crypt_r(password.c_str(), setting, data.get());
    std::string made = result == nullptr || *result == '*' ? std::string{} : std::string{result};
    ::explicit_bzero(data.get(), sizeof *data);
    return made;
}

/// The name of a method in libcrypt, and its cost.
struct Method {
    std::string_view name;
    const char* prefix;
    unsigned long cost;  // 0: libcrypt's default
};
constexpr std::array methods{Method{"yescrypt", "$y$", 0}, Method{"bcrypt", "$2b$", 12},
                             Method{"sha512", "$6$", 100'000}};

}  // namespace

std::string_view crypt_unavailable() noexcept { return {}; }

std::string hashed_like(const std::string& password, const std::string& hash) noexcept try {
    return hashed(password, hash.c_str());
} catch (const std::bad_alloc&) {
    return {};
}

std::expected<std::string, std::string> hash_of(const std::string& password,
                                                std::string_view method) {
    constexpr std::size_t bcrypt_sees = 72;
    if (method == "bcrypt" && password.size() > bcrypt_sees)
        return std::unexpected{"bcrypt sees only the first 72 bytes of a password"};
    const auto* const one = std::ranges::find(methods, method, &Method::name);
    if (one == methods.end())
        return std::unexpected{"there is no method '" + std::string{method} + "'"};
    std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting{};
    if (::crypt_gensalt_rn(one->prefix, one->cost, nullptr, 0, setting.data(),
                           static_cast<int>(setting.size())) == nullptr)
        return std::unexpected{"libcrypt makes no salt: " + last_error().message()};
    if (std::string made = hashed(password, setting.data()); !made.empty()) return made;
    return std::unexpected{"libcrypt does not hash this password"};
}

}  // namespace weir::cli
