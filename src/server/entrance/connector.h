#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "engines/host.h"
#include "http/connection_observer.h"
#include "http/layer.h"
#include "http/workspace.h"

namespace weir::server {

/// The entrances of a server (Listener::entrance()).
enum class Entrance : std::uint8_t { plain, tls };

/// Makes a connection's side of the protocol, for Host::connect.
class Connector {
   public:
    /// Both must outlive it. `h2c`: the first bytes of a plain connection may choose HTTP/2.
    Connector(http::ConnectionObserver& connections, Budget& memory, bool h2c) noexcept
        : connections_{connections}, memory_{memory}, h2c_{h2c} {}

    /// Null: all connections are plain, and none looks at its entrance. The connector must outlive
    /// what it returns.
    decltype(engines::Host::connect) with(http::Layer* tls) const;

   private:
    /// What ALPN may choose (RFC 7301), in the order of preference.
    static std::vector<std::string> protocols();
    /// `name` is what ALPN has chosen; empty where it has chosen nothing.
    static std::unique_ptr<http::Connection> speak(std::string_view name,
                                                   http::Workspace& workspace, http::Origin& origin,
                                                   Now now);
    std::unique_ptr<http::Connection> speak_plainly(http::Workspace& workspace,
                                                    http::Origin& origin, Now now) const;
    void prepare(http::Workspace& workspace) const noexcept;

    http::ConnectionObserver& connections_;
    Budget& memory_;
    const bool h2c_;
};

}  // namespace weir::server
