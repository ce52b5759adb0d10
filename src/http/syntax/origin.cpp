#include "http/syntax/origin.h"

#include <algorithm>

#include "http/syntax/authority.h"
#include "http/syntax/lower_case.h"
#include "weir/http/field_name.h"

namespace weir::http {
namespace {

bool is_scheme(std::string_view text) noexcept {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    });
}

/// Returns "443" for "example.org:443"; empty if there is no port.
std::string_view port_of(std::string_view authority) noexcept {
    const std::size_t colon = authority.rfind(':');
    return colon == authority.npos || authority.ends_with(']') ? std::string_view{}
                                                               : authority.substr(colon + 1);
}

std::string_view default_port_of(std::string_view scheme) noexcept {
    if (scheme == "http") return "80";
    return scheme == "https" ? "443" : "";
}

/// "https" and "example.org:443" of "https://example.org:443".
struct Parts {
    std::string_view scheme;
    std::string_view authority;
};

Parts parts_of(std::string_view origin) noexcept {
    const std::size_t mark = origin.find("://");
    if (mark == origin.npos) return {};
    return {.scheme = origin.substr(0, mark), .authority = origin.substr(mark + 3)};
}

std::string_view without_port(std::string_view authority, std::string_view scheme) noexcept {
    const std::string_view port = equals_ignoring_case(scheme, "https") ? ":443" : ":80";
    if (authority.ends_with(port)) authority.remove_suffix(port.size());
    return authority;
}

}  // namespace

std::expected<std::string, std::string> origin_from(std::string_view text) {
    if (text == "*") return std::string{text};
    if (text == "null")
        return std::unexpected{
            "'null' is not allowed: any page can get this origin with a sandboxed frame; use '*' "
            "for all origins"};
    std::string origin = lower_case(text);
    const auto [scheme, authority] = parts_of(origin);
    if (!is_scheme(scheme) || !is_authority(authority, Port::optional) ||
        authority.find('*') != authority.npos)
        return std::unexpected{
            "'" + std::string{text} +
            "' is not an origin: a scheme, a host and an optional port, as in 'https://example.org' or "
            "'http://localhost:3000'"};
    const std::string_view port = port_of(authority);
    if (authority.ends_with(':') || (!port.empty() && port == default_port_of(scheme)))
        origin.resize(origin.size() - port.size() - 1);
    return origin;
}

bool is_origin_of(const Request& request, std::string_view origin) noexcept {
    const auto [scheme, authority] = parts_of(origin);
    return !authority.empty() && equals_ignoring_case(without_port(authority, scheme),
                                                      without_port(request.authority(), scheme));
}

/// The browser itself sets Sec-Fetch-Site (W3C Fetch Metadata); it sends the field over HTTPS, and
/// to this machine. Each POST and PUT of a page has Origin (Fetch Standard 3.2), "null" included.
/// Other clients send neither field.
bool is_of_another_origin(const Request& request) noexcept {
    if (const auto site = request.field("Sec-Fetch-Site"))
        return *site != "same-origin" && *site != "none";
    const auto origin = request.field(FieldName::origin);
    return origin && !is_origin_of(request, *origin);
}

}  // namespace weir::http
