#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "engines/contract/host.h"
#include "engines/peer/completion_queue.h"
#include "engines/peer/peer.h"
#include "engines/threads/outbound_peers.h"
#include "engines/threads/peer_time_slice.h"
#include "engines/threads/thread_evictor.h"
#include "net/listener.h"
#include "weir/base/now.h"

namespace weir::engines {

/// The place where connections wait that no thread serves yet: the queues of listeners, or a queue
/// of the engine. The descriptor of such a queue is readable meanwhile.
struct Backlog {
    std::span<const net::Listener> listeners{};
    int queue_fd = -1;
};

/// Takes the steps of a thread's connection, one at a time, and waits for each. Every call either
/// transfers, or waits in one poll(2) for the socket, for completions, for the deadline, for the
/// stop, and for the connections that the thread has opened. Then the engine reads the connection's
/// step again. One per thread.
class BlockingWait {
   public:
    /// Bytes are received into `buffer`. While the backlog has connections, those of silent or slow
    /// peers end (see PeerTimeSlice): for engines whose threads are fewer than their connections. The
    /// connection of a silent peer is evicted at a request (`evictions` may be null; see
    /// ThreadEvictor).
    BlockingWait(Host& host, std::span<char> buffer, Backlog backlog = {},
                 EvictionRequests* evictions = nullptr) noexcept
        : host_{host}, buffer_{buffer}, backlog_{backlog}, evictor_{evictions} {}
    ~BlockingWait();
    BlockingWait(const BlockingWait&) = delete;
    BlockingWait& operator=(const BlockingWait&) = delete;

    /// At `receive` and `drain`.
    void receive(Peer& peer);
    /// At `transmit`.
    void transmit(Peer& peer);
    /// At `exchange`.
    void exchange(Peer& peer);
    /// At `wait`: waits for a handler's response, or a wake-up.
    void await_answer(Peer& peer);

    /// The connections that the thread has opened end with the one that it serves: nothing watches
    /// them while the thread waits for the next.
    void end() {
        outbound_.close_all(now_);
        if (completions_) completions_->collect();  // for connections that have gone
    }

    Now read_clock() noexcept;
    /// The queue of completions for the thread's peers.
    std::shared_ptr<CompletionQueue>& completions() noexcept { return completions_; }

   private:
    void wait_for(Peer& peer, short events);
    bool poll_until(Instant until, Peer& peer, short events, Backlog backlog, int eviction);
    void check_without_waiting(Peer& peer);
    void deliver_completions(Peer& peer);
    std::span<char> free_buffer(Peer& peer);
    void obey_stop(Peer& peer);
    bool has_backlog() const noexcept {
        return !backlog_.listeners.empty() || backlog_.queue_fd >= 0;
    }
    void yield_thread(Peer& peer);
    void cut(Peer& peer);
    bool is_retired(const Peer& peer) const noexcept { return retired_ == peer.number(); }
    void retire(Peer& peer);

    Host& host_;
    const std::span<char> buffer_;  // for received bytes
    const Backlog backlog_;
    ThreadEvictor evictor_;
    std::shared_ptr<CompletionQueue> completions_;  // null until the first call of Peer::postbox()
    OutboundPeers outbound_;
    std::optional<std::uint64_t> retired_;  // the number of the last peer that was retired
    std::optional<std::uint64_t> cut_;      // the number of the last peer that was cut
    PeerTimeSlice time_slice_;
    Now now_{};
};

}  // namespace weir::engines
