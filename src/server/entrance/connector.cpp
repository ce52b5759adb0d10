#include "server/entrance/connector.h"

#include <string>
#include <string_view>
#include <vector>

#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"
#include "http/http2/prior_knowledge.h"

namespace weir::server {
namespace {

constexpr const char* http2_name = "h2";  // RFC 9113 3.1
constexpr const char* http1_name = "http/1.1";

/// What ALPN may choose (RFC 7301), in the order of preference.
std::vector<std::string> protocols(const Options& options) {
    return options.h2 ? std::vector<std::string>{http2_name, http1_name}
                      : std::vector<std::string>{http1_name};
}

/// `name` is what ALPN has chosen; empty where it has chosen nothing.
std::unique_ptr<http::Connection> speak(std::string_view name, http::Workspace& workspace,
                                        http::Origin& origin, Now now) {
    if (name == http2_name) return std::make_unique<http::Http2Connection>(workspace, origin, now);
    return std::make_unique<http::Http1Connection>(workspace, origin, now);
}

}  // namespace

std::unique_ptr<http::Connection> Connector::speak_plain(http::Workspace& workspace,
                                                         http::Origin& origin, Now now) const {
    if (options_.h2c) return std::make_unique<http::PriorKnowledge>(workspace, origin, now);
    return std::make_unique<http::Http1Connection>(workspace, origin, now);
}

void Connector::prepare(http::Workspace& workspace) const noexcept {
    workspace.connections = &connections_;
    workspace.memory = &memory_;
}

decltype(engines::Host::connect) Connector::make() const {
    http::Layer* const tls = options_.tls.get();
    if (!tls)
        return [this](http::Workspace& workspace, http::Origin& origin, Now now) {
            prepare(workspace);
            return speak_plain(workspace, origin, now);
        };
    tls->begin({.names = protocols(options_), .make = speak});
    return [this, tls](http::Workspace& workspace, http::Origin& origin, Now now) {
        prepare(workspace);
        return Entrance{origin.entrance()} == Entrance::tls ? tls->connect(workspace, origin, now)
                                                            : speak_plain(workspace, origin, now);
    };
}

}  // namespace weir::server
