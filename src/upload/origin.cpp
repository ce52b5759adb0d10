#include "upload/origin.h"

#include "weir/http/field_name.h"

namespace weir::upload {

/// Sec-Fetch-Site (W3C Fetch Metadata) is what the browser knows itself; it comes over HTTPS, and to
/// this machine. Origin comes with each POST and PUT of a page (Fetch Standard 3.2), "null" included,
/// and names no default port, as Host does not. Other clients send neither.
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
