#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/http/request.h"

namespace weir::web {

/// The text behind the scheme in Authorization; null if it is another scheme, or if there are
/// several lines: a proxy in front may have read another one (RFC 9110 5.3).
std::optional<std::string_view> credentials(const http::Request& request, std::string_view scheme);

/// `Basic realm="..."`, for WWW-Authenticate. Throws std::invalid_argument if the realm has a
/// quote, a backslash or a control character.
std::string challenge(std::string_view scheme, std::string_view realm);
/// The same for basic authentication, whose names and passwords are UTF-8 (RFC 7617 2.1).
std::string basic_challenge(std::string_view realm);

/// A user and a password (RFC 7617).
class BasicCredentials {
   public:
    /// Null if the request has no credentials, or malformed ones.
    static std::optional<BasicCredentials> from(const http::Request& request);

    std::string_view user() const noexcept { return std::string_view{both_}.substr(0, colon_); }
    std::string_view password() const noexcept {
        return std::string_view{both_}.substr(colon_ + 1);
    }
    /// "user:password"
    std::string_view both() const noexcept { return both_; }

   private:
    BasicCredentials(std::string both, std::size_t colon) noexcept
        : both_{std::move(both)}, colon_{colon} {}

    std::string both_;
    std::size_t colon_;
};

}  // namespace weir::web
