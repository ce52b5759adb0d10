#include "weir/web/signed_cookies.h"

#include <algorithm>
#include <utility>

#include "base/bytes/base64.h"
#include "base/bytes/sha256.h"
#include "web/cookie/cookie_limits.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

/// The first line keeps signatures apart from others that a program may make with the same key. A
/// name has no "=", so that no byte can move between the name and the value.
std::string signature_of(std::string_view value, std::string_view name, std::string_view key) {
    std::string text{"weir signed cookie\n"};
    text.append(name).append("=").append(value);
    return base64url_encoded(text_of(hmac_sha256(key, text)));
}

}  // namespace

SignedCookies::SignedCookies(std::vector<std::string> keys)
    : keys_{detail::checked_keys(std::move(keys))} {}

Cookie SignedCookies::sign(Cookie cookie) const {
    detail::check_length(cookie.name, cookie.value);
    std::string value = base64url_encoded(cookie.value);
    const std::string signature = signature_of(value, cookie.name, keys_.front());
    cookie.value = std::move(value.append(".").append(signature));
    detail::check_length(cookie.name, cookie.value);
    return cookie;
}

std::optional<std::string> SignedCookies::value(const Call& call, std::string_view name) const {
    const auto text = detail::bounded_cookie(call, name);
    const std::size_t point = text ? text->find('.') : std::string_view::npos;
    if (point == std::string_view::npos) return std::nullopt;
    const std::string_view value = text->substr(0, point);
    const std::string_view signature = text->substr(point + 1);
    const bool is_signed = std::ranges::any_of(keys_, [&](const std::string& key) {
        return same_secret(signature, signature_of(value, name, key));
    });
    return is_signed ? base64url_decoded(value) : std::nullopt;
}

}  // namespace weir::web
