#include "server/entrance/connector.h"

#include <string>

#include "http/http1/http1_connection.h"

namespace weir::server {

std::vector<std::string> Connector::protocols() { return {"http/1.1"}; }

std::unique_ptr<http::Connection> Connector::speak(std::string_view /*name*/,
                                                   http::Workspace& workspace, http::Origin& origin,
                                                   Now now) {
    return std::make_unique<http::Http1Connection>(workspace, origin, now);
}

void Connector::prepare(http::Workspace& workspace) const noexcept {
    workspace.connections = &connections_;
    workspace.memory = &memory_;
}

decltype(engines::Host::connect) Connector::with(http::Layer* tls) const {
    if (!tls)
        return [this](http::Workspace& workspace, http::Origin& origin, Now now) {
            prepare(workspace);
            return speak({}, workspace, origin, now);
        };
    tls->begin({.names = protocols(), .make = speak});
    return [this, tls](http::Workspace& workspace, http::Origin& origin, Now now) {
        prepare(workspace);
        return Entrance{origin.entrance()} == Entrance::tls ? tls->connect(workspace, origin, now)
                                                            : speak({}, workspace, origin, now);
    };
}

}  // namespace weir::server
