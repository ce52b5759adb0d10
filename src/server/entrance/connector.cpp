#include "server/entrance/connector.h"

#include <string>

#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"
#include "http/http2/prior_knowledge.h"

namespace weir::server {

std::vector<std::string> Connector::protocols() { return {"h2", "http/1.1"}; }

std::unique_ptr<http::Connection> Connector::speak(std::string_view name,
                                                   http::Workspace& workspace, http::Origin& origin,
                                                   Now now) {
    if (name == "h2") return std::make_unique<http::Http2Connection>(workspace, origin, now);
    return std::make_unique<http::Http1Connection>(workspace, origin, now);
}

std::unique_ptr<http::Connection> Connector::speak_plainly(http::Workspace& workspace,
                                                           http::Origin& origin, Now now) const {
    if (h2c_) return std::make_unique<http::PriorKnowledge>(workspace, origin, now);
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
            return speak_plainly(workspace, origin, now);
        };
    tls->begin({.names = protocols(), .make = speak});
    return [this, tls](http::Workspace& workspace, http::Origin& origin, Now now) {
        prepare(workspace);
        return Entrance{origin.entrance()} == Entrance::tls ? tls->connect(workspace, origin, now)
                                                            : speak_plainly(workspace, origin, now);
    };
}

}  // namespace weir::server
