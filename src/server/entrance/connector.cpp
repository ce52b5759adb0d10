#include "server/entrance/connector.h"

#include <memory>
#include <string>
#include <utility>

#include "server/entrance/protocols.h"
#include "server/proxied/proxied_connection.h"

namespace weir::server {

void Connector::prepare(http::Workspace& workspace) const noexcept {
    workspace.connections = &connections_;
    workspace.memory = &memory_;
}

Connector::Connect Connector::make() const {
    Connect connect = options_.proxy_protocol ? behind_proxies() : for_clients();
    if (!recorder_) return connect;
    return [recorder = recorder_, connect = std::move(connect)](http::Workspace& workspace,
                                                                http::Origin& origin, Now now) {
        recorder->accepted(origin.entrance());
        return connect(workspace, origin, now);
    };
}

Connector::Connect Connector::behind_proxies() const {
    return [this, connect = std::make_shared<const Connect>(for_clients())](
               http::Workspace& workspace, http::Origin& origin,
               Now now) -> std::unique_ptr<http::Connection> {
        std::string address;
        origin.append_address(address);
        if (!options_.proxy_protocol(address)) return (*connect)(workspace, origin, now);
        prepare(workspace);
        return std::make_unique<ProxiedConnection>(*connect, workspace, origin, now);
    };
}

/// One is made when a handshake has finished.
http::Protocols Connector::protocols_within() const {
    http::Protocols protocols = protocols_within_tls(options_.h2);
    if (!recorder_) return protocols;
    protocols.make = [recorder = recorder_, make = std::move(protocols.make)](
                         std::string_view name, http::Workspace& workspace, http::Origin& origin,
                         Now now) {
        recorder->handshake(name);
        return make(name, workspace, origin, now);
    };
    return protocols;
}

Connector::Connect Connector::for_clients() const {
    http::Layer* const tls = options_.tls.get();
    if (!tls)
        return [this](http::Workspace& workspace, http::Origin& origin, Now now) {
            prepare(workspace);
            return speak_plain(options_.h2c, workspace, origin, now);
        };
    tls->begin(protocols_within());
    return [this, tls](http::Workspace& workspace, http::Origin& origin, Now now) {
        prepare(workspace);
        return Entrance{origin.entrance()} == Entrance::tls
                   ? tls->connect(workspace, origin, now)
                   : speak_plain(options_.h2c, workspace, origin, now);
    };
}

}  // namespace weir::server
