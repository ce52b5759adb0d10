#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "rules/access/network.h"
#include "weir/base/instant.h"

namespace weir::rules {

/// Limits how often a client may try a wrong password: so often in a minute. An IPv6 network of 64
/// bits is one client. Those who come by a unix socket are not limited: the server in front knows
/// them. Any thread may call it.
class Tries {
   public:
    static constexpr std::chrono::seconds span{60};
    static constexpr std::size_t clients_max = 10'000;

    /// `max`: 0 means no limit.
    explicit Tries(std::uint32_t max) noexcept : max_{max} {}

    /// Takes one try. Returns for how long the client has to wait; 0: it may try now. Throws
    /// std::bad_alloc.
    std::chrono::seconds take(const Peer& peer, Instant now);
    /// The try was right, so it does not count.
    void give_back(const Peer& peer) noexcept;

   private:
    using Key = std::array<std::uint8_t, 17>;
    struct Count {
        std::uint32_t tries = 0;
        Instant until{};  // it counts no more then
    };
    static Key key_of(const Peer& peer) noexcept;
    Count& count_of(const Peer& peer, Instant now);

    const std::uint32_t max_;
    std::mutex mutex_;
    std::map<Key, Count> clients_;  // guarded by the mutex, as what follows
    Count others_;                  // of all further clients, once there are too many
    Instant forget_again_at_{};
};

}  // namespace weir::rules
