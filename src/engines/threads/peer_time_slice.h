#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "engines/peer/peer.h"
#include "weir/base/now.h"
#include "weir/http/connection.h"

namespace weir::engines {

/// The time for which a thread that serves one peer at a time stays with it, while other
/// connections wait for a thread.
///
/// After `length`, the connection is retired: between two requests it closes, and a later
/// response says that it is the last one. Then the peer has `length` once more to send a head.
/// While content is received or responses are sent, it has `transfer_length`, again and again, as
/// long as it moves `pace_bytes_min` in each: a cut would lose the transfer that is under way.
class PeerTimeSlice {
   public:
    static constexpr std::chrono::milliseconds length{200};
    /// Enough for TCP to send a lost packet twice more, and for a client that lost its processor
    /// for a while.
    static constexpr std::chrono::milliseconds transfer_length{1'000};
    /// In that time: a modem for telephone lines of the 1990s is faster.
    static constexpr std::uint64_t pace_bytes_min = 5 * 1024;

    enum class Verdict : std::uint8_t { stay, retire, cut };

    /// Before each wait for the peer. A peer that begins something else gets the full time again.
    void look(const Peer& peer, Now now) noexcept;
    /// Until then, other connections have to wait.
    Instant ends_at() const noexcept { return ends_at_; }
    /// Call it when the slice has ended and other connections wait.
    Verdict judge(const Peer& peer, bool is_retired, Now now) noexcept;

   private:
    bool keeps_pace(const Peer& peer) noexcept;

    std::optional<std::uint64_t> number_;  // of the peer
    http::CloseImpact impact_ = http::CloseImpact::idle;
    Instant ends_at_ = never;
    std::optional<std::uint64_t> moved_;  // at the last check of the pace
};

}  // namespace weir::engines
