#include <algorithm>
#include <list>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>

#include "net/address.h"
#include "net/clock.h"
#include "proxy/max_forwards.h"
#include "proxy/relay.h"
#include "proxy/route_path.h"
#include "proxy/servers.h"
#include "site/path/target_path.h"
#include "upstream/look_up.h"
#include "upstream/names.h"
#include "upstream/pool.h"
#include "upstream/target.h"
#include "weir/http/limits.h"
#include "weir/proxy/proxy.h"

namespace weir::proxy {
namespace {

using Error = std::unexpected<std::string>;

http::client::ClientTimeouts timeouts_of(const Options& options) {
    return {.connect = options.connect_timeout,
            .transmit = options.transmit_timeout,
            .response = options.response_timeout,
            .keep_alive = options.keep_alive};
}

/// One line may fill the whole head.
http::Limits limits_of(const Options& options) {
    http::Limits limits;
    limits.head_bytes_max = limits.request_line_bytes_max = limits.field_line_bytes_max =
        options.head_bytes_max;
    return limits;
}

bool is_unix(const upstream::Target& target) noexcept { return target.url.starts_with("unix:"); }

class Forward final : public ProxyHandler {
   public:
    Forward(http::Handler& inner, Options options)
        : inner_{inner},
          options_{std::move(options)},
          pool_{{.limits = limits_of(options_),
                 .timeouts = timeouts_of(options_),
                 .kept_max = options_.kept_max,
                 .connections_max = options_.connections_max,
                 .waiting_max = options_.waiting_max,
                 .layer = options_.tls}},
          look_ups_{std::make_shared<upstream::LookUps>(
              options_.look_up, options_.names_kept,
              [this](const std::string& url, std::span<const net::Address> addresses) {
                  pool_.lead_to(url, addresses);
              })} {}
    ~Forward() override { look_ups_->stop(); }

    std::expected<void, std::string> add_routes();

    http::Reply handle(const http::Request& request) override {
        const RoutePath path{request.path()};
        Way* const way = way_for(path);
        if (way == nullptr || is_at_its_end(request)) return inner_.handle(request);
        if (path.is_ambiguous())
            return http::error_response(http::Status::bad_request,
                                        "The path could be read in two ways");
        if (is_too_long(request))
            return http::error_response(http::Status::content_too_large, "The content is too long");
        return http::Later{std::make_unique<Relay>(*way, request)};
    }
    std::vector<std::uint16_t> ports() const override;
    bool has_unix_sockets() const override;
    std::vector<std::string> names() const override;

   private:
    Way* way_for(const RoutePath& path) noexcept {
        for (Way& way : ways_)
            if (path.is_below(way.below)) return &way;
        return nullptr;
    }
    /// Content of an unknown length is counted on its way.
    bool is_too_long(const http::Request& request) const noexcept {
        const std::uint64_t most = options_.content_bytes_max;
        return most != 0 && request.content_length().value_or(0) > most;
    }
    template <typename Visit>
    void each_target(Visit visit) const {
        for (const Way& way : ways_)
            for (const Server& server : way.servers.all()) visit(server.target());
    }

    std::expected<void, std::string> add(const Route& route);
    std::expected<void, std::string> find_addresses(upstream::Target& target);

    http::Handler& inner_;
    const Options options_;
    upstream::Pool pool_;
    const std::shared_ptr<upstream::LookUps> look_ups_;
    std::list<Way> ways_;  // the longest path first
};

/// The path of a route, decoded; empty if no request has it.
std::string decoded_path_of(const Route& route) {
    const std::string& path = route.path;
    const bool is_root = path == "/";
    if (!path.starts_with('/') || (path.ends_with('/') && !is_root)) return {};
    if (path.contains("//") || RoutePath{path}.is_ambiguous()) return {};
    return site::decoded_path(path).value_or(std::string{});
}

/// The servers of a route, or the reason why it has none. Looks no name up.
std::expected<std::vector<upstream::Target>, std::string> targets_of(const Route& route) {
    if (!route.path.starts_with('/') || (route.path.ends_with('/') && route.path != "/"))
        return Error{"a path begins with a slash and does not end with one, as in /api, not '" +
                     route.path + "'"};
    if (decoded_path_of(route).empty())
        return Error{
            "a path has no dot segments, empty segments, backslashes, encoded slashes or "
            "malformed escapes, unlike '" +
            route.path + "'"};
    std::vector<upstream::Target> targets;
    for (const std::string& text : route.servers) {
        auto target = upstream::parse_target(text);
        if (!target) return Error{std::move(target.error())};
        if (!targets.empty() && targets.front().path != target->path)
            return Error{"the URLs of the servers of " + route.path + " have different paths"};
        targets.push_back(std::move(*target));
    }
    if (targets.empty()) return Error{"a server is missing, as in '/api: http://127.0.0.1:3000'"};
    return targets;
}

std::expected<void, std::string> Forward::add(const Route& route) {
    auto targets = targets_of(route);
    if (!targets) return Error{std::move(targets.error())};
    if (route.needs_tls() && !options_.tls)
        return Error{"https:// needs Options::tls, as tls::open_client() makes it"};
    std::string path = decoded_path_of(route);
    const auto longer =
        std::ranges::find_if(ways_, [&](const Way& way) { return way.below.size() < path.size(); });
    Way& way = *ways_.emplace(longer, std::move(path), pool_, options_);
    for (upstream::Target& target : *targets) {
        if (auto found = find_addresses(target); !found) return found;
        way.servers.add(std::move(target));
    }
    return {};
}

/// RFC 6761 6.3: those of localhost do not change.
std::expected<void, std::string> Forward::find_addresses(upstream::Target& target) {
    const auto found = upstream::look_up(target, look_ups_->by());
    if (target.name.empty() || target.name == "localhost" || options_.names_kept.count() == 0)
        return found;
    target.changing = std::make_shared<upstream::Name>(look_ups_, target, net::read_instant());
    if (!found) upstream::tell_operator(target.url, found.error());
    return {};
}

std::expected<void, std::string> Forward::add_routes() {
    if (auto repeated = find_repeated(options_.routes); !repeated.empty())
        return Error{"two routes have the path " + repeated};
    for (const Route& route : options_.routes)
        if (auto added = add(route); !added) return added;
    return {};
}

std::vector<std::uint16_t> Forward::ports() const {
    std::vector<std::uint16_t> ports;
    each_target([&ports](const upstream::Target& target) {
        if (!is_unix(target)) ports.push_back(target.port);
    });
    return ports;
}

bool Forward::has_unix_sockets() const {
    bool has = false;
    each_target([&has](const upstream::Target& target) { has = has || is_unix(target); });
    return has;
}

std::vector<std::string> Forward::names() const {
    std::vector<std::string> names;
    each_target([&names](const upstream::Target& target) {
        if (target.changing) names.push_back(target.name);
    });
    return names;
}

}  // namespace

bool Route::needs_tls() const noexcept {
    return std::ranges::any_of(servers,
                               [](const std::string& url) { return url.starts_with("https://"); });
}

std::string find_repeated(const std::vector<Route>& routes) {
    for (auto route = routes.begin(); route != routes.end(); ++route)
        if (std::any_of(routes.begin(), route, [&](const Route& before) {
                return decoded_path_of(before) == decoded_path_of(*route);
            }))
            return route->path;
    return {};
}

std::expected<Route, std::string> parse_route(std::string_view text) {
    const std::size_t colon = text.find(": ");
    if (colon == text.npos)
        return Error{"'" + std::string{text} +
                     "' is no path and a server, as in '/api: http://127.0.0.1:3000'"};
    Route route{.path = std::string{text.substr(0, colon)}, .servers = {}};
    for (const auto word : std::views::split(text.substr(colon + 2), ' '))
        if (!word.empty()) route.servers.emplace_back(std::string_view{word});
    if (const auto targets = targets_of(route); !targets) return Error{targets.error()};
    return route;
}

std::expected<std::vector<std::string>, std::string> look_up_by_system(const std::string& name) {
    return upstream::ask_system(name);
}

std::expected<std::unique_ptr<ProxyHandler>, std::string> proxy_to(http::Handler& inner,
                                                                   Options options) {
    auto proxy = std::make_unique<Forward>(inner, std::move(options));
    if (auto added = proxy->add_routes(); !added) return Error{std::move(added.error())};
    return proxy;
}

}  // namespace weir::proxy
