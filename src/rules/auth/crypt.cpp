#include "rules/auth/crypt.h"

#include <crypt.h>

#include <array>
#include <memory>
#include <new>

#include "base/last_error.h"
#include "weir/web/ready_middleware.h"

namespace weir::rules {
namespace {

/// Empty if it failed. A password with a NUL would be another one to libcrypt, which sees its
/// beginning alone.
std::string hashed(std::string_view password, const char* setting) {
    if (password.contains('\0') || password.size() > password_bytes_max) return {};
    const std::string text{password};
    const auto data = std::make_unique<crypt_data>();
    const char* const result = ::crypt_r(text.c_str(), setting, data.get());
    return result == nullptr || *result == '*' ? std::string{} : std::string{result};
}

/// The name of a method in libcrypt, and its cost.
struct Method {
    std::string_view name;
    const char* prefix;
    unsigned long cost;  // 0: libcrypt's default
};
constexpr std::array methods{Method{"yescrypt", "$y$", 0}, Method{"bcrypt", "$2b$", 12},
                             Method{"sha512", "$6$", 100'000}, Method{"sha256", "$5$", 100'000}};

}  // namespace

std::string_view crypt_unavailable() noexcept { return {}; }

bool has_hash(std::string_view password, const std::string& hash) noexcept try {
    const std::string made = hashed(password, hash.c_str());
    return !made.empty() && web::same_secret(made, hash);
} catch (const std::bad_alloc&) {
    return false;
}

std::expected<std::string, std::string> hash_of(std::string_view password,
                                                std::string_view method) {
    constexpr std::size_t bcrypt_sees = 72;
    if (method == "bcrypt" && password.size() > bcrypt_sees)
        return std::unexpected{"bcrypt sees only the first 72 bytes of a password"};
    for (const Method& one : methods) {
        if (one.name != method) continue;
        std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting{};
        if (::crypt_gensalt_rn(one.prefix, one.cost, nullptr, 0, setting.data(),
                               static_cast<int>(setting.size())) == nullptr)
            return std::unexpected{"libcrypt makes no salt: " + last_error().message()};
        if (std::string made = hashed(password, setting.data()); !made.empty()) return made;
        return std::unexpected{"libcrypt does not hash this password"};
    }
    return std::unexpected{"there is no method '" + std::string{method} + "'"};
}

}  // namespace weir::rules
