#include "upload/origin.h"

#include "weir/http/field_name.h"

namespace weir::upload {

/// The browser itself sets Sec-Fetch-Site (W3C Fetch Metadata); it sends the field over HTTPS, and
/// to this machine. Each POST and PUT of a page has Origin (Fetch Standard 3.2), "null" included;
/// like Host, it names no default port. Other clients send neither field.
bool is_of_another_origin(const http::Request& request) noexcept {
    if (const auto site = request.field("Sec-Fetch-Site"))
        return *site != "same-origin" && *site != "none";
    const auto origin = request.field(http::FieldName::origin);
    if (!origin) return false;
    const auto scheme = origin->find("://");
    return scheme == origin->npos ||
           !http::equals_ignoring_case(origin->substr(scheme + 3), request.authority());
}

}  // namespace weir::upload
