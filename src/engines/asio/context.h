#pragma once

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "engines/asio/acceptor.h"
#include "engines/asio/postbox.h"
#include "engines/asio/spare_descriptors.h"
#include "engines/contract/host.h"
#include "engines/peer/connection_limit.h"
#include "engines/peer/evictor.h"
#include "net/clock.h"
#include "net/descriptors.h"
#include "net/listener.h"
#include "weir/base/now.h"

namespace weir::engines {

/// The interface of a session, which is one connection, to its context. Each call may end the
/// session.
class AsioSession {
   public:
    virtual ~AsioSession() = default;
    AsioSession(const AsioSession&) = delete;
    AsioSession& operator=(const AsioSession&) = delete;

    virtual void start() = 0;
    virtual void deliver(Completion&& completion) = 0;
    virtual void evict() = 0;
    virtual void retire() = 0;
    virtual void fail(http::Outcome why) = 0;

    virtual const http::Connection& connection() const = 0;
    /// Bytes have arrived that the connection does not know.
    virtual bool has_bytes() = 0;

   protected:
    AsioSession() = default;
};

/// An io_context, the thread that runs it, and its sessions. The context accepts the sessions'
/// connections, passes on responses from other threads, and stops the sessions.
class AsioContext final {
   public:
    /// Makes the session of a connection that was accepted.
    using Connect = std::function<std::shared_ptr<AsioSession>(
        AsioContext& context, AsioSocket socket, const net::PeerAddress& address,
        std::uint64_t number)>;
    /// Makes the session of a connection that the server opens. Throws std::bad_alloc.
    using Adopt = std::function<std::shared_ptr<AsioSession>(
        AsioContext& context, AsioSocket socket, http::Outbound& outbound, std::uint64_t number)>;

    AsioContext(Host& host, ConnectionLimit& limit, std::span<net::Listener> listeners,
                Connect connect, Adopt adopt);
    ~AsioContext();
    AsioContext(const AsioContext&) = delete;
    AsioContext& operator=(const AsioContext&) = delete;

    std::error_code open();
    /// Runs until the stop, and until all sessions have closed.
    void run();

    // For the sessions.
    Host& host() noexcept { return host_; }
    http::Workspace& workspace() noexcept { return workspace_; }
    asio::io_context& io() noexcept { return io_; }
    const std::shared_ptr<AsioPostbox>& postbox() const noexcept { return postbox_; }
    /// The time of the callback that runs: each callback reads the clock first.
    Now now() const noexcept { return now_; }
    void read_clock() noexcept { now_ = net::read_clock(); }
    /// The address is that of a connection that was accepted; null for others.
    void session_closed(std::uint64_t number, const net::PeerAddress* address);
    /// A session has ended its turn. If files have used their reserve of descriptors, others are
    /// evicted.
    void look_at_descriptors() {
        if (net::descriptors().is_short()) [[unlikely]]
            evict_soon(0);
    }

   private:
    using Descriptor = asio::posix::stream_descriptor;

    bool serve();
    void admit(AsioSocket socket, const net::PeerAddress& address);
    void adopt(http::Outbound& outbound);
    void deliver(Completion&& completion);
    void hear(Descriptor& stop);
    void obey_stop();
    void drain();
    void cut();
    void evict_soon(std::size_t waiting);
    void evict();
    bool evict(std::uint64_t number) noexcept;
    void end_if_done();
    std::vector<std::shared_ptr<AsioSession>> sessions() const;

    Host& host_;
    http::Workspace workspace_;
    asio::io_context io_{with_descriptors(1)};  // a hint: one thread runs the context
    AsioAcceptor acceptor_;
    const Connect connect_;
    const Adopt adopt_;
    std::shared_ptr<AsioPostbox> postbox_;
    std::unordered_map<std::uint64_t, std::shared_ptr<AsioSession>> sessions_;  // by number
    Evictor evictor_;
    std::size_t refused_ = 0;  // connections that were not accepted since the last eviction
    bool evicts_soon_ = false;
    Descriptor draining_{io_};
    Descriptor cutting_{io_};
    asio::steady_timer cut_timer_{io_};
    Now now_ = net::read_clock();
    std::uint64_t last_number_ = 0;
    bool hears_ = false;  // the stop's descriptors are watched
    bool is_stopping_ = false;
};

}  // namespace weir::engines
