#include "server/entrance/connector.h"

#include <memory>
#include <string>
#include <utility>

#include "server/entrance/protocols.h"
#include "server/proxied/proxied_connection.h"

namespace weir::server {

void Connector::prepare(http::Workspace& workspace) const noexcept {
    workspace.connections = &connections_;
    workspace.failures = &failures_;
    workspace.memory = &memory_;
}

Connector::Connect Connector::make() const {
    Connect connect = for_clients();
    if (!options_.proxy_protocol) return connect;
    return [this, connect = std::make_shared<const Connect>(std::move(connect))](
               http::Workspace& workspace, http::Origin& origin,
               Now now) -> std::unique_ptr<http::Connection> {
        std::string address;
        origin.append_address(address);
        if (!options_.proxy_protocol(address)) return (*connect)(workspace, origin, now);
        prepare(workspace);
        return std::make_unique<ProxiedConnection>(*connect, workspace, origin, now);
    };
}

Connector::Connect Connector::for_clients() const {
    http::Layer* const tls = options_.tls.get();
    if (!tls)
        return [this](http::Workspace& workspace, http::Origin& origin, Now now) {
            prepare(workspace);
            return make_plain_connection(options_.h2c, workspace, origin, now);
        };
    tls->begin(protocols_within_tls(options_.h2));
    return [this, tls](http::Workspace& workspace, http::Origin& origin, Now now) {
        prepare(workspace);
        return Entrance{origin.listener_kind()} == Entrance::tls
                   ? tls->connect(workspace, origin, now)
                   : make_plain_connection(options_.h2c, workspace, origin, now);
    };
}

}  // namespace weir::server
