#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/budget.h"
#include "engines/host.h"
#include "http/connection_observer.h"
#include "http/layer.h"
#include "http/workspace.h"
#include "server/metrics/recorder.h"
#include "weir/server/options.h"

namespace weir::server {

/// The entrances of a server (Listener::entrance()).
enum class Entrance : std::uint8_t { plain, tls };

/// Makes a connection's side of the protocol, for Host::connect.
class Connector {
   public:
    /// All must outlive it. `recorder` may be null: then nothing is counted.
    Connector(const Options& options, http::ConnectionObserver& connections, Budget& memory,
              Recorder* recorder) noexcept
        : options_{options}, connections_{connections}, memory_{memory}, recorder_{recorder} {}

    using Connect = decltype(engines::Host::connect);
    /// The connector must outlive what it returns.
    Connect make() const;

   private:
    Connect behind_proxies() const;
    /// Without TLS, all connections are plain, and none looks at its entrance.
    Connect for_clients() const;
    http::Protocols protocols_within() const;
    void prepare(http::Workspace& workspace) const noexcept;

    const Options& options_;
    http::ConnectionObserver& connections_;
    Budget& memory_;
    Recorder* const recorder_;
};

}  // namespace weir::server
