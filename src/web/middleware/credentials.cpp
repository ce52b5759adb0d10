#include "web/middleware/credentials.h"

#include <stdexcept>
#include <utility>

#include "base/bytes/base64.h"
#include "base/trimmed.h"
#include "weir/http/field_name.h"
#include "weir/http/response.h"

namespace weir::web {

std::optional<std::string_view> credentials(const http::Request& request, std::string_view scheme) {
    if (request.is_repeated(http::FieldName::authorization)) return std::nullopt;
    const auto field = request.field(http::FieldName::authorization);
    if (!field || field->size() <= scheme.size()) return std::nullopt;
    if (!http::equals_ignoring_case(field->substr(0, scheme.size()), scheme) ||
        (*field)[scheme.size()] != ' ')
        return std::nullopt;
    return trimmed(field->substr(scheme.size() + 1));
}

std::string challenge(std::string_view scheme, std::string_view realm) {
    std::string text{scheme};
    text.append(" realm=\"").append(realm).append("\"");
    if (realm.find_first_of("\"\\") != realm.npos)
        throw std::invalid_argument{"a realm must not have a quote or a backslash"};
    // Throws if the text cannot be sent.
    static_cast<void>(http::Response{}.add("WWW-Authenticate", text));
    return text;
}

std::string basic_challenge(std::string_view realm) {
    return challenge("Basic", realm) + ", charset=\"UTF-8\"";
}

std::optional<BasicCredentials> BasicCredentials::from(const http::Request& request) {
    const auto encoded = credentials(request, "Basic");
    auto decoded = encoded ? base64_decoded(*encoded) : std::nullopt;
    const std::size_t colon = decoded ? decoded->find(':') : std::string::npos;
    if (colon == std::string::npos) return std::nullopt;
    return BasicCredentials{std::move(*decoded), colon};
}

}  // namespace weir::web
