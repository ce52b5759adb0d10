#include <algorithm>
#include <stdexcept>

#include "http/syntax/token.h"
#include "weir/web/response.h"

namespace weir::web {
namespace {

/// RFC 6265 4.1.1, cookie-octet.
bool is_cookie_value(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c > 0x20 && c < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\';
    });
}

/// A path or a domain.
bool is_attribute(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f && c != ';'; });
}

void check(const Cookie& cookie) {
    if (!http::is_token(cookie.name))
        throw std::invalid_argument{"a cookie's name must be a token"};
    if (!is_cookie_value(cookie.value))
        throw std::invalid_argument{"a cookie's value has a character that is not allowed there"};
    if (!is_attribute(cookie.path) || !is_attribute(cookie.domain))
        throw std::invalid_argument{
            "a cookie's path or domain has a character that is not allowed"};
    if (cookie.same_site == Cookie::SameSite::none && !cookie.secure)
        throw std::invalid_argument{"a cookie with SameSite=None must be Secure"};
}

std::string_view same_site(Cookie::SameSite value) noexcept {
    switch (value) {
        case Cookie::SameSite::strict: return "Strict";
        case Cookie::SameSite::none: return "None";
        case Cookie::SameSite::lax: break;
    }
    return "Lax";
}

}  // namespace

void set_cookie(Response& response, const Cookie& cookie) {
    check(cookie);
    std::string line = cookie.name + "=" + cookie.value;
    if (!cookie.path.empty()) line += "; Path=" + cookie.path;
    if (!cookie.domain.empty()) line += "; Domain=" + cookie.domain;
    if (cookie.max_age) line += "; Max-Age=" + std::to_string(cookie.max_age->count());
    if (cookie.secure) line += "; Secure";
    if (cookie.http_only) line += "; HttpOnly";
    line.append("; SameSite=").append(same_site(cookie.same_site));
    response.add("Set-Cookie", line);
}

}  // namespace weir::web
