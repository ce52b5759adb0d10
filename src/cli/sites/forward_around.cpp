#include "cli/sites/forward_around.h"

#include <utility>

namespace weir::cli {

std::expected<std::unique_ptr<proxy::ProxyHandler>, std::string> forward_around(
    http::Handler& inner, const ForwardOptions& options) {
    if (options.routes.empty()) return nullptr;
    proxy::Options settings;
    settings.keeps_host = !options.sets_host;
    settings.response_timeout = options.timeout;
    for (const std::string& text : options.routes)
        settings.routes.push_back(*proxy::parse_route(text));
    auto handler = proxy::proxy_to(inner, std::move(settings));
    if (!handler) return std::unexpected{"--proxy: " + handler.error()};
    return std::move(*handler);
}

}  // namespace weir::cli
