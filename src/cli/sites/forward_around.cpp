#include "cli/sites/forward_around.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "weir/server/log.h"
#include "weir/tls/tls.h"

namespace weir::cli {
namespace {

/// Warns of a certificate that has expired.
std::expected<std::shared_ptr<http::client::ClientLayer>, std::string> open_tls(
    const ForwardOptions& options) {
    const tls::ClientSettings settings{.certificate = options.certificate};
    auto layer = tls::open_client(settings);
    const std::string_view option =
        options.certificate.chain.empty() ? "--proxy with https://: " : "--proxy-tls-cert: ";
    if (!layer) return std::unexpected{std::string{option} + layer.error()};
    if (const auto concern = tls::concern(settings); !concern.empty())
        server::standard_error_log().write(server::Severity::warning, concern);
    return layer;
}

/// Engines whose thread or process for a client drives the connections to servers, too.
constexpr std::array<std::string_view, 3> of_one_client{"thread-per-connection", "thread-pool",
                                                        "fork-per-connection"};

}  // namespace

std::string concern_of(std::string_view engine) {
    if (engine == "blocking")
        return "--engine blocking serves one client at a time: a slow server of --proxy keeps all "
               "others waiting";
    if (std::ranges::find(of_one_client, engine) == of_one_client.end()) return {};
    return "--engine " + std::string{engine} +
           " closes the connections to the servers of --proxy with that of the client";
}

void allow_for_servers(http::Timeouts& timeouts, const ForwardOptions& options) {
    using std::chrono::milliseconds;
    constexpr milliseconds to_connect{10'000};
    if (options.routes.empty()) return;
    timeouts.pause = milliseconds{0};
    if (options.timeout.count() == 0) timeouts.handler = milliseconds{0};
    if (timeouts.handler.count() != 0)
        timeouts.handler = std::max(timeouts.handler, options.timeout + to_connect);
}

std::expected<std::unique_ptr<proxy::ProxyHandler>, std::string> forward_around(
    http::Handler& inner, const ForwardOptions& options) {
    if (options.routes.empty()) return nullptr;
    proxy::Options settings;
    settings.keeps_host = !options.sets_host;
    settings.response_timeout = options.timeout;
    settings.connections_max = options.connections_max;
    settings.content_bytes_max = options.content_bytes_max;
    settings.head_bytes_max = std::max(settings.head_bytes_max, options.head_bytes_max);
    if (options.look_up) settings.look_up = options.look_up;
    for (const std::string& text : options.routes)
        settings.routes.push_back(*proxy::parse_route(text));
    if (std::ranges::any_of(settings.routes, &proxy::Route::needs_tls)) {
        auto layer = open_tls(options);
        if (!layer) return std::unexpected{layer.error()};
        settings.tls = std::move(*layer);
    }
    auto handler = proxy::proxy_to(inner, std::move(settings));
    if (!handler) return std::unexpected{"--proxy: " + handler.error()};
    return std::move(*handler);
}

}  // namespace weir::cli
