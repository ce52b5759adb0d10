#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <system_error>
#include <vector>

#include "base/budget.h"
#include "engines/peer/peer.h"
#include "engines/processes/timer_fd.h"
#include "http/workspace.h"
#include "net/epoll.h"
#include "net/event_fd.h"
#include "net/listener.h"
#include "net/unique_fd.h"
#include "weir/http/handler.h"
#include "weir/http/limits.h"

namespace weir::server {

/// Serves a few connections for a handler that answers at once. It belongs to no engine: so it serves
/// while the engine is stuck. It keeps the descriptors for its connections open from the start, so
/// that it serves while the process has none left. When all are in use, the oldest connection is
/// closed for a new one: a client that says nothing keeps nobody out.
///
/// One thread uses it: either a thread of its own, or that of an engine which forks.
class AdminLoop {
   public:
    static constexpr std::size_t connections_max = 16;

    /// All must outlive it. Once `leaving` is signaled, it accepts nothing more, and ends all
    /// connections: their clients come again, and find the one that has the address then. Throws
    /// std::system_error if the system has no descriptor left.
    AdminLoop(net::Listener& listener, const net::EventFd& leaving, http::Handler& handler);
    ~AdminLoop();
    AdminLoop(const AdminLoop&) = delete;
    AdminLoop& operator=(const AdminLoop&) = delete;

    std::error_code open();
    /// Readable once turn() has something to do.
    int fd() const noexcept { return epoll_.fd(); }
    /// Does what can be done without waiting.
    void turn();

    /// In a process that was forked: the connections are the parent's.
    void leave() noexcept;

   private:
    struct Session;

    void accept(Now now);
    Session& oldest() noexcept;
    void begin(Session& session, net::Accepted& accepted, Now now);
    void drive(Session& session, Now now);
    void end(Session& session) noexcept;
    void expire(Now now);
    void leave_address() noexcept;
    void pause() noexcept;
    void set_timer(Now now) const noexcept;

    net::Listener& listener_;
    const net::EventFd& leaving_;
    http::Handler& handler_;
    http::Limits limits_;
    http::Timeouts timeouts_;
    Budget memory_;
    http::Workspace workspace_{limits_, timeouts_};
    std::shared_ptr<engines::CompletionQueue> nobody_;  // asks for it: all is answered at once
    net::Epoll epoll_;
    engines::TimerFd timer_;
    bool is_paused_ = false;   // the listener is not watched
    std::uint64_t begun_ = 0;  // connections, so far
    std::vector<std::unique_ptr<Session>> sessions_;
    std::array<char, std::size_t{16} * 1024> buffer_;
};

}  // namespace weir::server
