#include "web/middleware/security_fields.h"

#include <utility>

namespace weir::web {

SecurityFields::SecurityFields(SecurityHeaders headers) {
    if (headers.no_sniff) add("X-Content-Type-Options", "nosniff");
    add("X-Frame-Options", std::move(headers.frame_options));
    add("Referrer-Policy", std::move(headers.referrer_policy));
    add("Cross-Origin-Opener-Policy", std::move(headers.opener_policy));
    add("Content-Security-Policy", std::move(headers.content_security_policy));
    add("Permissions-Policy", std::move(headers.permissions_policy));
    if (headers.hsts.count() > 0)
        add("Strict-Transport-Security", "max-age=" + std::to_string(headers.hsts.count()));
}

void SecurityFields::complete(http::Response& response) const {
    for (const auto& [name, value] : fields_)
        if (!response.get(name)) response.add(name, value);
}

void SecurityFields::add(std::string_view name, std::string value) {
    if (value.empty()) return;
    static_cast<void>(http::Response{}.add(name, value));  // throws if the value cannot be sent
    fields_.emplace_back(name, std::move(value));
}

}  // namespace weir::web
