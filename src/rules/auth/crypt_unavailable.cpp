#include "rules/auth/crypt.h"

namespace weir::rules {
namespace {

constexpr std::string_view why =
    "this build has no libcrypt: install libcrypt-dev, and build weir again";

}  // namespace

std::string_view crypt_unavailable() noexcept { return why; }

bool has_hash(std::string_view /*password*/, const std::string& /*hash*/) noexcept { return false; }

std::expected<std::string, std::string> hash_of(std::string_view /*password*/,
                                                std::string_view /*method*/) {
    return std::unexpected{std::string{why}};
}

}  // namespace weir::rules
