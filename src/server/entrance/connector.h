#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/budget.h"
#include "engines/contract/host.h"
#include "http/connection_observer.h"
#include "http/layer.h"
#include "http/workspace.h"
#include "weir/server/options.h"

namespace weir::server {

/// The entrances of a server (Listener::listener_kind()).
enum class Entrance : std::uint8_t { plain, tls };

/// Makes the protocol part of a connection, for Host::connect.
class Connector {
   public:
    using Connect = decltype(engines::Host::connect);

    /// All must outlive the connector.
    Connector(const Options& options, http::ConnectionObserver& connections,
              http::FailureObserver& failures, Budget& memory) noexcept
        : options_{options}, connections_{connections}, failures_{failures}, memory_{memory} {}

    /// The connector must outlive the returned function. Without TLS, all connections are plain,
    /// and the function does not read their entrances.
    Connect make() const;

   private:
    Connect for_clients() const;
    void prepare(http::Workspace& workspace) const noexcept;

    const Options& options_;
    http::ConnectionObserver& connections_;
    http::FailureObserver& failures_;
    Budget& memory_;
};

}  // namespace weir::server
