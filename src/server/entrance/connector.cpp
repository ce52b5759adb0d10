#include "server/entrance/connector.h"

#include "server/entrance/protocols.h"

namespace weir::server {

void Connector::prepare(http::Workspace& workspace) const noexcept {
    workspace.connections = &connections_;
    workspace.memory = &memory_;
}

decltype(engines::Host::connect) Connector::make() const {
    http::Layer* const tls = options_.tls.get();
    if (!tls)
        return [this](http::Workspace& workspace, http::Origin& origin, Now now) {
            prepare(workspace);
            return speak_plain(options_.h2c, workspace, origin, now);
        };
    tls->begin(protocols_within_tls(options_.h2));
    return [this, tls](http::Workspace& workspace, http::Origin& origin, Now now) {
        prepare(workspace);
        return Entrance{origin.entrance()} == Entrance::tls
                   ? tls->connect(workspace, origin, now)
                   : speak_plain(options_.h2c, workspace, origin, now);
    };
}

}  // namespace weir::server
