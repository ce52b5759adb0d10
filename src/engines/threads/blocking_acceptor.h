#pragma once

#include <poll.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engines/contract/host.h"
#include "engines/peer/connection_limit.h"
#include "net/accept.h"
#include "net/listener.h"
#include "weir/base/now.h"

namespace weir::engines {

/// Accepts connections for engines that have a thread for it, or that serve one connection at a
/// time. When the server stops, it still accepts the connections in the listeners' queues.
class BlockingAcceptor {
   public:
    BlockingAcceptor(Host& host, ConnectionLimit& limit);

    /// Waits for the next connection, which counts towards the limit. Empty once the server has
    /// stopped; the listeners are closed then.
    ///
    /// An engine may pass a descriptor of its own as `also`. Then next() also returns without a
    /// connection: if that descriptor is readable, or if a connection waits and can't be accepted.
    std::optional<net::Accepted> next(int also = -1);

    /// Returns after a short time, or at the next state of the stop. For an engine that has no
    /// thread or process left for a connection.
    void pause() const;
    /// The server runs, or it drains and the stop timeout is not over.
    bool may_go_on() const;

   private:
    bool wait(int also);
    net::Listener* ready_listener() noexcept;
    net::Accepted accept(net::Listener& listener);
    void ask_for_evictions(const net::Listener& listener);
    std::optional<net::Accepted> next_queued(bool may_be_empty);

    Host& host_;
    ConnectionLimit& limit_;
    std::vector<pollfd> watched_;         // the stop, `also`, and the listeners
    std::span<net::Listener> undrained_;  // their queues are emptied after the stop
    bool has_asked_ = false;              // for evictions, and accepted none since
    Instant ask_again_at_{};
    std::optional<std::size_t>
        queued_;  // connections left in the first of these; none: not counted yet
};

}  // namespace weir::engines
