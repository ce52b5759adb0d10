#include <algorithm>
#include <list>
#include <memory>
#include <ranges>
#include <string>
#include <utility>

#include "net/address.h"
#include "proxy/relay.h"
#include "proxy/request_out.h"
#include "proxy/servers.h"
#include "upstream/pool.h"
#include "upstream/target.h"
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

/// "/api" has /api and /api/users, but not /apis.
bool is_below(std::string_view path, std::string_view route) noexcept {
    if (route == "/") return path.starts_with('/');
    if (!path.starts_with(route)) return false;
    return path.size() == route.size() || path[route.size()] == '/';
}

class Forward final : public ProxyHandler {
   public:
    Forward(http::Handler& inner, Options options)
        : inner_{inner},
          options_{std::move(options)},
          pool_{{.timeouts = timeouts_of(options_),
                 .kept_max = options_.kept_max,
                 .connections_max = options_.connections_max,
                 .waiting_max = options_.waiting_max,
                 .layer = options_.tls}} {}

    std::expected<void, std::string> add_routes();

    http::Reply handle(const http::Request& request) override {
        Way* const way = way_for(request.path());
        if (way == nullptr) return inner_.handle(request);
        if (has_dot_segments(request.path()))
            return http::error_response(http::Status::bad_request, "The path has dot segments");
        return http::Later{std::make_unique<Relay>(*way, request)};
    }
    std::vector<std::uint16_t> ports() const override;
    bool has_unix_sockets() const override;

   private:
    Way* way_for(std::string_view path) noexcept {
        for (Way& way : ways_)
            if (is_below(path, way.below)) return &way;
        return nullptr;
    }
    template <typename Visit>
    void each_address(Visit visit) const {
        for (const Way& way : ways_)
            for (const Server& server : way.servers.all())
                for (const net::Address& address : server.target().addresses) visit(address);
    }

    std::expected<void, std::string> add(const Route& route);

    http::Handler& inner_;
    const Options options_;
    upstream::Pool pool_;
    std::list<Way> ways_;  // the longest path first
};

/// The servers of a route, or the reason why it has none. Looks no name up.
std::expected<std::vector<upstream::Target>, std::string> targets_of(const Route& route) {
    if (!route.path.starts_with('/') || (route.path.ends_with('/') && route.path != "/"))
        return Error{"a path begins with a slash and does not end with one, as in /api, not '" +
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
    const auto longer = std::ranges::find_if(
        ways_, [&](const Way& way) { return way.below.size() < route.path.size(); });
    Way& way = *ways_.emplace(longer, route.path, pool_, options_);
    for (upstream::Target& target : *targets) {
        if (auto found = upstream::look_up(target); !found) return Error{std::move(found.error())};
        way.servers.add(std::move(target));
    }
    return {};
}

std::expected<void, std::string> Forward::add_routes() {
    for (const Route& route : options_.routes)
        if (auto added = add(route); !added) return added;
    return {};
}

std::vector<std::uint16_t> Forward::ports() const {
    std::vector<std::uint16_t> ports;
    each_address([&ports](const net::Address& address) {
        if (!address.is_unix()) ports.push_back(address.port());
    });
    return ports;
}

bool Forward::has_unix_sockets() const {
    bool has = false;
    each_address([&has](const net::Address& address) { has = has || address.is_unix(); });
    return has;
}

}  // namespace

bool Route::needs_tls() const noexcept {
    return std::ranges::any_of(servers,
                               [](const std::string& url) { return url.starts_with("https://"); });
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

std::expected<std::unique_ptr<ProxyHandler>, std::string> proxy_to(http::Handler& inner,
                                                                   Options options) {
    auto proxy = std::make_unique<Forward>(inner, std::move(options));
    if (auto added = proxy->add_routes(); !added) return Error{std::move(added.error())};
    return proxy;
}

}  // namespace weir::proxy
