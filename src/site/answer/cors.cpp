#include "site/answer/cors.h"

#include <algorithm>
#include <array>
#include <utility>

#include "http/head/authority.h"
#include "http/head/field_list.h"
#include "http/head/token.h"
#include "weir/http/field_name.h"

namespace weir::site {

using http::FieldName;

namespace {

constexpr std::string_view allow_origin = "Access-Control-Allow-Origin";

bool is_scheme(std::string_view text) noexcept {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    });
}

std::string lower_case(std::string_view text) {
    std::string lower{text};
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return lower;
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
    http::for_each_member(list, [&](std::string_view member) {
        if (http::is_token(member)) tokens.append(tokens.empty() ? "" : ", ").append(member);
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
    if (!is_scheme(scheme) || !http::is_authority(authority, http::Port::optional) ||
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

std::expected<Cors, std::string> Cors::from(const std::vector<std::string>& origins) {
    Cors cors;
    for (const std::string& text : origins) {
        auto origin = origin_from(text);
        if (!origin) return std::unexpected{std::move(origin.error())};
        if (*origin == "*") cors.any_ = true;
        cors.origins_.push_back(std::move(*origin));
    }
    if (cors.any_) cors.origins_.clear();
    return cors;
}

std::vector<FieldRule> Cors::rules() const {
    if (!any_ && origins_.empty()) return {};
    // A page cannot read these fields otherwise (Fetch Standard, "CORS-safelisted response-header
    // name").
    FieldRule expose{.name = "Access-Control-Expose-Headers",
                     .value =
                         "Accept-Ranges, Content-Encoding, Content-Length, Content-Range, "
                         "Date, ETag"};
    // Also sent if the origin is not allowed: otherwise a cache could give that answer to an
    // allowed origin.
    FieldRule who = any_ ? FieldRule{.name = std::string{allow_origin}, .value = "*"}
                         : FieldRule{.name = "Vary", .value = "Origin"};
    return {std::move(who), std::move(expose)};
}

bool Cors::excludes(const FieldRule& rule) const noexcept {
    return !origins_.empty() && http::equals_ignoring_case(rule.name, allow_origin);
}

void Cors::allow_listed(const http::Request& request, http::Response& response) const {
    const auto origin = request.field(FieldName::origin);
    if (origin && std::ranges::find(origins_, *origin) != origins_.end())
        response.add(allow_origin, *origin);
}

void Cors::answer_preflight(const http::Request& request, http::Response& response) const {
    if (!any_ && origins_.empty()) return;
    if (!request.has(FieldName::origin) || !request.field("Access-Control-Request-Method")) return;
    response.add("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
    // No request field can do harm here, so every requested field is allowed.
    const auto asked = request.field("Access-Control-Request-Headers");
    if (const std::string names = tokens_of(asked.value_or("")); !names.empty())
        response.add("Access-Control-Allow-Headers", names);
    constexpr std::string_view two_hours = "7200";  // the longest time that Chromium accepts
    response.add("Access-Control-Max-Age", two_hours);
}

}  // namespace weir::site
