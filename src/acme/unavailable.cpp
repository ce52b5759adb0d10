#include "acme/acme.h"

// This file replaces all others of this folder in a build without OpenSSL or nlohmann/json.
namespace weir::acme {

std::string_view unavailable() noexcept {
    return "this build can't ask a CA: install libssl-dev and nlohmann-json3-dev, and build weir "
           "again";
}

std::expected<void, std::string> prepare(const Settings& /*settings*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::string keep(const Settings& /*settings*/, const Tell& /*tell*/) {
    return std::string{unavailable()};
}

std::unique_ptr<http::Handler> answering(http::Handler& /*inner*/, const std::string& /*folder*/) {
    return nullptr;
}

}  // namespace weir::acme
