#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "engines/peer/peer.h"
#include "weir/base/now.h"
#include "weir/http/connection.h"

namespace weir::engines {

/// How long a thread that serves one peer at a time stays with it while other connections wait for
/// a thread.
///
/// After `patience`, the connection is asked to end: between two requests it closes, and an answer
/// that comes later says that it is the last one. Then a peer has as much time again for the head
/// that is due. While content is received or answers are sent, it has `transfer_patience`, again
/// and again, as long as it moves `pace_bytes_min` in each: to cut it loses what is under way.
class Patience {
   public:
    static constexpr std::chrono::milliseconds patience{200};
    /// Enough for TCP to send a lost packet twice more, and for a client whose processor was taken.
    static constexpr std::chrono::milliseconds transfer_patience{1'000};
    /// In that time: a modem for telephone lines of the 1990s is faster.
    static constexpr std::uint64_t pace_bytes_min = 5 * 1024;

    enum class Verdict : std::uint8_t { stay, retire, cut };

    /// Before each wait for the peer. A peer that begins something else has its time anew.
    void look(const Peer& peer, Now now) noexcept;
    /// Until then, other connections may wait.
    Instant ends_at() const noexcept { return ends_at_; }
    /// Patience has ended, and others wait.
    Verdict judge(const Peer& peer, bool is_retired, Now now) noexcept;

   private:
    bool keeps_pace(const Peer& peer) noexcept;

    std::optional<std::uint64_t> number_;  // of the peer
    http::CloseImpact impact_ = http::CloseImpact::idle;
    Instant ends_at_ = never;
    std::optional<std::uint64_t> moved_;  // when the pace was last looked at
};

}  // namespace weir::engines
