#include "http/answer/cors.h"

#include <algorithm>
#include <utility>

#include "http/syntax/authority.h"
#include "http/syntax/field_list.h"
#include "http/syntax/lower_case.h"
#include "http/syntax/token.h"
#include "weir/http/field_name.h"

namespace weir::http {

namespace {

constexpr std::string_view allow_origin = "Access-Control-Allow-Origin";

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

/// Returns the members of a list that are tokens.
std::string tokens_of(std::string_view list) {
    std::string tokens;
    for_each_member(list, [&](std::string_view member) {
        if (is_token(member)) tokens.append(tokens.empty() ? "" : ", ").append(member);
    });
    return tokens;
}

}  // namespace

std::expected<std::string, std::string> origin_from(std::string_view text) {
    if (text == "*") return std::string{text};
    if (text == "null")
        return std::unexpected{
            "'null' is not allowed: any page can get this origin with a sandboxed frame; use '*' "
            "for all origins"};
    std::string origin = lower_case(text);
    const std::size_t mark = origin.find("://");
    const std::string_view scheme = std::string_view{origin}.substr(0, mark);
    const std::string_view authority =
        mark == origin.npos ? std::string_view{} : std::string_view{origin}.substr(mark + 3);
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

std::expected<Cors, std::string> Cors::from(CorsPolicy policy) {
    Cors cors;
    for (std::string& text : policy.origins) {
        auto origin = origin_from(text);
        if (!origin) return std::unexpected{std::move(origin.error())};
        if (*origin == "*") cors.any_ = true;
        text = std::move(*origin);
    }
    if (cors.any_ && policy.credentials)
        return std::unexpected{"CORS cannot allow credentials to all origins"};
    if (cors.any_) policy.origins.clear();
    cors.policy_ = std::move(policy);
    // Vary is also sent if the origin is not allowed: otherwise a cache could give that response to
    // an allowed origin.
    if (cors.any_)
        cors.fixed_fields_.emplace_back(allow_origin, "*");
    else if (cors.names_origins())
        cors.fixed_fields_.emplace_back("Vary", "Origin");
    if (!cors.fixed_fields_.empty() && !cors.policy_.exposed.empty())
        cors.fixed_fields_.emplace_back("Access-Control-Expose-Headers", cors.policy_.exposed);
    return cors;
}

bool Cors::allows(std::string_view origin) const noexcept {
    return any_ || std::ranges::find(policy_.origins, origin) != policy_.origins.end();
}

void Cors::allow_listed(const Request& request, Response& response) const {
    const auto origin = request.field(FieldName::origin);
    if (!origin || !allows(*origin)) return;
    response.add(allow_origin, *origin);
    if (policy_.credentials) response.add("Access-Control-Allow-Credentials", "true");
}

bool Cors::is_preflight(const Request& request) noexcept {
    return request.method() == Method::options && request.has(FieldName::origin) &&
           request.field("Access-Control-Request-Method");
}

void Cors::answer_preflight(const Request& request, Response& response) const {
    if (!is_preflight(request) || !allows(*request.field(FieldName::origin))) return;
    response.add("Access-Control-Allow-Methods", policy_.methods);
    const std::string headers =
        policy_.any_header ? tokens_of(request.field("Access-Control-Request-Headers").value_or(""))
                           : policy_.headers;
    if (!headers.empty()) response.add("Access-Control-Allow-Headers", headers);
    response.add("Access-Control-Max-Age", policy_.max_age);
}

}  // namespace weir::http
