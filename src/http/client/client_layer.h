#pragma once

#include <memory>
#include <string>

#include "http/client/client_connection.h"
#include "http/client/exchange.h"
#include "http/workspace.h"
#include "weir/http/connection.h"
#include "weir/http/limits.h"
#include "weir/http/origin.h"

namespace weir::http::client {

/// The parts that the layer's connections of one thread share.
struct LayerParts {
    LayerParts(const Limits& of_responses, const ClientTimeouts& of_servers)
        : limits{of_responses}, timeouts{of_servers} {}

    const Limits limits;
    const ClientTimeouts timeouts;
    const Timeouts unused{};
    Workspace workspace{limits, unused};
};

/// Makes connections around those to other servers. weir-tls has one.
class ClientLayer {
   public:
    virtual ~ClientLayer() = default;
    ClientLayer(const ClientLayer&) = delete;
    ClientLayer& operator=(const ClientLayer&) = delete;

    /// `host`: the name, or the address without brackets, that the server must prove. Any thread
    /// may call. Throws std::bad_alloc.
    virtual std::unique_ptr<Connection> connect(const std::string& host,
                                                std::shared_ptr<LayerParts> parts,
                                                std::shared_ptr<Exchanges> exchanges,
                                                Origin& origin, Now now) = 0;

   protected:
    ClientLayer() = default;
};

}  // namespace weir::http::client
