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

/// The connections that a blocking thread has opened itself, beside the one that it serves. While
/// the thread waits for that one, it waits for these, too, in the same poll(2).
class OutboundPeers {
   public:
    /// The most that one thread can watch: more than the requests that a connection may have under
    /// way (Limits::streams_max).
    static constexpr std::size_t peers_max = 128;

    bool are_none() const noexcept { return peers_.empty(); }
    /// If there is no room or no memory, `outbound` is not taken.
    void adopt(http::Outbound& outbound, std::shared_ptr<CompletionQueue>& completions, Now now);
    /// Does nothing if the completion is for none of them.
    void deliver(Completion& completion, std::span<char> buffer, Now now);

    /// Fills the entries of poll(2), one for each. Returns their number.
    std::size_t watch(std::span<pollfd, peers_max> entries) const noexcept;
    /// The time at which one of them is due.
    Instant next() const noexcept;
    /// After poll(2): drives those that are ready or due. Bytes are received into `buffer`.
    void take(std::span<const pollfd> entries, std::span<char> buffer, Now now);
    void close_all(Now now) noexcept;

   private:
    static void drive(Peer& peer, std::span<char> buffer, Now now);
    void drop_closed() noexcept;

    std::vector<std::unique_ptr<Peer>> peers_;
    std::uint32_t last_number_ = 0;
};

}  // namespace weir::engines
