// per-core: as many epoll-edge loops as cores. They share nothing.
//
// Who waits:          a thread per core, each in its own epoll_wait(2).
// Where handlers run: inline, on the loop that owns the connection.
// What is shared:     the count of connections, and nothing else. Each loop has its own listener on
//                     the same port (SO_REUSEPORT), its own connections, buffers and timers. The
//                     kernel distributes new connections by a hash of their addresses. No lock is
//                     taken, and no connection ever moves.
// An idle connection: as in `epoll-edge`.
// Calls per request:  as in `epoll-edge`. Accepting scales, too: no thread accepts for all, and
//                     there is no queue that all take from.
//
// Where it breaks: the hash knows nothing of load. With few connections some loops get none (of
// four connections on four cores, two commonly get the same loop). A connection that is given to a
// loop whose handler blocks has to wait, while other cores are idle. Siblings of a unix socket
// share one queue.
//
// When it is right: nearly always. `auto` chooses it.

#include "engines/entry_points.h"
#include "engines/loop/epoll_loop.h"
#include "engines/loop/loops.h"

namespace weir::engines {

/// The loop is that of epoll_edge.cpp; loops.cpp opens one for each core, and runs them.
std::error_code run_per_core(Host& host) { return run_loops(host, open_epoll_loop); }

}  // namespace weir::engines
