#pragma once

#include <memory>
#include <span>

#include "base/now.h"
#include "engines/host.h"
#include "engines/peer/completion_queue.h"
#include "engines/peer/peer.h"

namespace weir::engines {

/// How a thread that serves one connection at a time waits for it: for its socket, for answers that
/// come from elsewhere, for its deadline, and for the stop, in one poll(2). One per thread.
class BlockingWait {
   public:
    /// While connections wait in the queue of one of `rivals`, a peer that has been silent for a
    /// while between requests gives way; so it does while the descriptor `rivals_wait` is readable.
    /// For engines whose threads are fewer than their peers.
    explicit BlockingWait(Host& host, std::span<const net::Listener> rivals = {},
                          int rivals_wait = -1) noexcept
        : host_{host}, rivals_{rivals}, rivals_wait_{rivals_wait} {}
    ~BlockingWait();
    BlockingWait(const BlockingWait&) = delete;
    BlockingWait& operator=(const BlockingWait&) = delete;

    /// Returns once there is a reason to look at peer.connection again, or at the peer's hints.
    /// `events`: POLLIN, POLLOUT, or 0 where the connection waits for its handler alone.
    void wait_for(Peer& peer, short events);

    /// After a transfer, without waiting: tells the peer what it would hear of in wait_for(). A peer
    /// that always has something to say, or takes whatever it is sent, may keep the thread from
    /// waiting for long. Bytes that have arrived are received into `buffer` before the stop is told.
    void look_around(Peer& peer, std::span<char> buffer);

    /// Nothing can be accepted for want of room: returns after a little while, or when there is
    /// news of the stop.
    void pause();
    /// The server stops, and what is under way may still be finished.
    bool is_draining();

    Now now() const noexcept { return now_; }
    Now read_clock() noexcept;
    /// Where the thread's peers find their completions.
    std::shared_ptr<CompletionQueue>& completions() noexcept { return completions_; }

   private:
    /// False where the time ran out with nothing to tell.
    bool poll_until(Instant until, Peer& peer, short events, bool gives_way);
    void deliver_completions(Peer& peer);
    void obey_stop(Peer& peer);

    Host& host_;
    std::span<const net::Listener> rivals_;
    int rivals_wait_;
    std::shared_ptr<CompletionQueue> completions_;  // null until a handler first answers later
    Now now_{};
    Instant cut_at_ = never;  // once the server stops
};

}  // namespace weir::engines
