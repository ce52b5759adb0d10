#include "rules/prefix.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <variant>

#include "rules/redirect/encoding.h"

namespace weir::rules {

std::expected<PrefixPath, std::string> PrefixPath::parse(std::string_view text) try {
    if (text.ends_with('/')) text.remove_suffix(1);
    const bool has_others = text.find_first_of("{}?#%\\") != text.npos;
    if (text.empty() || text.ends_with('/') || has_others)
        return std::unexpected{"'" + std::string{text} + "' is no path such as /docs"};
    return PrefixPath{std::string{text}, web::Pattern::prefix_from(text)};
} catch (const std::invalid_argument& error) {
    return std::unexpected{std::string{error.what()}};
}

http::Reply Prefix::handle(const http::Request& request) {
    const std::string_view path = request.path();
    if (!path_.pattern().is_prefix_of(path)) return http::error_response(http::Status::not_found);
    std::size_t end = 0;  // of the prefix, which may be written with escapes
    for (std::size_t i = 0; i < path_.pattern().segments().size(); ++i)
        end = std::min(path.find('/', end + 1), path.size());
    if (end == path.size()) return redirect(request);
    const auto outer = static_cast<std::uint32_t>(request.prefix().size());
    request.mount(outer + static_cast<std::uint32_t>(end));
    http::Reply reply = inner_.handle(request);
    // One that goes on later needs it as it is.
    if (!std::holds_alternative<http::Later>(reply)) request.mount(outer);
    return reply;
}

http::Response Prefix::redirect(const http::Request& request) const {
    std::string location;
    append_path(location, path_.text());
    location += '/';
    if (!request.query().empty()) location.append("?").append(request.query());
    http::Response response = http::error_response(http::Status::permanent_redirect);
    // Otherwise browsers would keep it, also when another site lies there.
    response.add("Location", location).add("Cache-Control", "no-cache");
    return response;
}

}  // namespace weir::rules
