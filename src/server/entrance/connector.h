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
    /// Both must outlive it.
    Connector(http::ConnectionObserver& connections, Budget& memory) noexcept
        : connections_{connections}, memory_{memory} {}

    /// Null: all connections are plain, and none looks at its entrance. The connector must outlive
    /// what it returns.
    decltype(engines::Host::connect) with(http::Layer* tls) const;

   private:
    /// What ALPN may choose (RFC 7301), in the order of preference.
    static std::vector<std::string> protocols();
    /// `name` is what ALPN has chosen; empty on plain connections, and where it has chosen nothing.
    static std::unique_ptr<http::Connection> speak(std::string_view name,
                                                   http::Workspace& workspace, http::Origin& origin,
                                                   Now now);
    void prepare(http::Workspace& workspace) const noexcept;

    http::ConnectionObserver& connections_;
    Budget& memory_;
};

}  // namespace weir::server
