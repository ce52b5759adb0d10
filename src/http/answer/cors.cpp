#include "http/answer/cors.h"

#include <algorithm>
#include <utility>

#include "http/syntax/field_list.h"
#include "http/syntax/origin.h"
#include "http/syntax/token.h"
#include "weir/http/field_name.h"

namespace weir::http {

namespace {

constexpr std::string_view allow_origin = "Access-Control-Allow-Origin";

/// Returns the members of a list that are tokens.
std::string tokens_of(std::string_view list) {
    std::string tokens;
    for_each_member(list, [&](std::string_view member) {
        if (is_token(member)) tokens.append(tokens.empty() ? "" : ", ").append(member);
    });
    return tokens;
}

}  // namespace

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

bool Cors::allows_preflight(const Request& request) const noexcept {
    return is_preflight(request) && allows(*request.field(FieldName::origin));
}

void Cors::answer_preflight(const Request& request, Response& response) const {
    if (!allows_preflight(request)) return;
    response.add("Access-Control-Allow-Methods", policy_.methods);
    const std::string headers =
        policy_.any_header ? tokens_of(request.field("Access-Control-Request-Headers").value_or(""))
                           : policy_.headers;
    if (!headers.empty()) response.add("Access-Control-Allow-Headers", headers);
    response.add("Access-Control-Max-Age", policy_.max_age);
}

}  // namespace weir::http
