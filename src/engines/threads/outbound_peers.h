#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engines/peer/completion_queue.h"
#include "engines/peer/peer.h"
#include "weir/base/now.h"

namespace weir::engines {

/// The connections that a blocking thread has opened itself. The thread may serve another one beside
/// them (BlockingWait), or none (server::run()). It waits for all of them in one poll(2).
class OutboundPeers {
   public:
    /// The most beside a connection that a thread serves: more than the requests that it may have
    /// under way (Limits::streams_max).
    static constexpr std::size_t peers_max = 128;

    /// `most`: of connections at the same time.
    explicit OutboundPeers(std::size_t most = peers_max) noexcept : most_{most} {}

    bool are_none() const noexcept { return peers_.empty(); }
    std::size_t count() const noexcept { return peers_.size(); }
    /// If there is no room or no memory, `outbound` is not taken.
    void adopt(http::Outbound& outbound, std::shared_ptr<CompletionQueue>& completions, Now now);
    /// Does nothing if the completion is for none of them.
    void deliver(Completion& completion, std::span<char> buffer, Now now);

    /// Fills the entries of poll(2), one for each: `entries` has count() of them at least. Returns
    /// their number.
    std::size_t watch(std::span<pollfd> entries) const noexcept;
    /// The time at which one of them is due.
    Instant next() const noexcept;
    /// After poll(2): drives those that are ready or due. Bytes are received into `buffer`.
    void take(std::span<const pollfd> entries, std::span<char> buffer, Now now);
    void close_all(Now now) noexcept;

   private:
    static void drive(Peer& peer, std::span<char> buffer, Now now);
    void drop_closed() noexcept;

    const std::size_t most_;
    std::vector<std::unique_ptr<Peer>> peers_;
    std::uint32_t last_number_ = 0;
};

}  // namespace weir::engines
