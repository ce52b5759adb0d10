#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

#include "base/troubles.h"
#include "engines/contract/host.h"
#include "engines/peer/peer.h"
#include "engines/threads/blocking_wait.h"
#include "http/workspace.h"
#include "net/accept.h"
#include "net/io.h"

namespace weir::engines {

/// The objects that a thread needs to serve connections, one at a time. The thread itself must make
/// them.
template <std::size_t receive_bytes>
struct BlockingService {
    explicit BlockingService(Host& of_server, Backlog backlog = {},
                             EvictionRequests* evictions = nullptr)
        : host{of_server},
          workspace{of_server.limits, of_server.timeouts, of_server.observer},
          wait{of_server, buffer, backlog, evictions} {}

    /// Serves the accepted connection from here to end(). If there is no memory for it, closes it
    /// and returns null.
    Peer* begin(net::Accepted& accepted) try {
        peer = Peer{};
        peer.generation = ++connections;  // completions for an earlier one must not reach it
        peer.adopt(accepted, wait.completions());
        peer.connection = host.connect(workspace, peer, wait.read_clock());
        return &peer;
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        end();
        return nullptr;
    }
    /// At `close`.
    void end() {
        peer.close();
        wait.end();
    }

    net::SigpipeBlocked sigpipe_blocked;  // sendfile(2) raises it, and no flag prevents that
    Host& host;
    http::Workspace workspace;
    std::array<char, receive_bytes> buffer;
    BlockingWait wait;
    std::uint32_t connections = 0;  // so far
    Peer peer;                      // last: its connection ends before the members that it uses
};

}  // namespace weir::engines
