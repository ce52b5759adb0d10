#include "cli/sites/forward_around.h"

#include <algorithm>
#include <utility>

#include "weir/tls/tls.h"

namespace weir::cli {

std::expected<std::unique_ptr<proxy::ProxyHandler>, std::string> forward_around(
    http::Handler& inner, const ForwardOptions& options) {
    if (options.routes.empty()) return nullptr;
    proxy::Options settings;
    settings.keeps_host = !options.sets_host;
    settings.response_timeout = options.timeout;
    settings.connections_max = options.connections_max;
    if (options.look_up) settings.look_up = options.look_up;
    for (const std::string& text : options.routes)
        settings.routes.push_back(*proxy::parse_route(text));
    if (std::ranges::any_of(settings.routes, &proxy::Route::needs_tls)) {
        auto layer = tls::open_client();
        if (!layer) return std::unexpected{"--proxy with https://: " + layer.error()};
        settings.tls = std::move(*layer);
    }
    auto handler = proxy::proxy_to(inner, std::move(settings));
    if (!handler) return std::unexpected{"--proxy: " + handler.error()};
    return std::move(*handler);
}

}  // namespace weir::cli
