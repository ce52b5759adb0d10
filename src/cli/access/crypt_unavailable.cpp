#include "cli/access/crypt.h"

namespace weir::cli {
namespace {

constexpr std::string_view why =
    "this build has no libcrypt: install libcrypt-dev and rebuild, or use the Debian package";

}  // namespace

std::string_view crypt_unavailable() noexcept { return why; }

std::string hashed_like(const std::string& /*password*/, const std::string& /*hash*/) noexcept {
    return {};
}

std::expected<std::string, std::string> hash_of(const std::string& /*password*/,
                                                std::string_view /*method*/) {
    return std::unexpected{std::string{why}};
}

}  // namespace weir::cli
