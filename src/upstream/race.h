#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "net/address.h"
#include "net/descriptors.h"
#include "net/unique_fd.h"
#include "weir/base/instant.h"

namespace weir::upstream {

/// Connections to the addresses of one server, of which the first that is made wins (RFC 8305 5,
/// "Happy Eyeballs"). The next address is tried when an attempt fails, or has not succeeded within
/// a moment. One thread makes all calls.
class Race {
   public:
    /// Until the next address is tried beside those under way (RFC 8305 8).
    static constexpr std::chrono::milliseconds attempt_delay{250};

    enum class State : std::uint8_t { undecided, won, lost };

    /// `timeout`: of each attempt; zero: no limit.
    Race() = default;
    Race(std::vector<net::Address> addresses, std::chrono::milliseconds timeout)
        : addresses_{std::move(addresses)}, timeout_{timeout} {
        attempts_.reserve(addresses_.size());
    }

    /// Looks at the attempts under way, and begins those that are due. Does not wait. The only
    /// address wins as soon as its attempt has begun: the engine waits for it.
    State advance(Instant now) noexcept;
    /// The time at which advance() has something to do, whatever the sockets report.
    Instant due() const noexcept;
    /// Appends the sockets under way, for poll(2).
    void append_to(std::vector<pollfd>& watched) const;

    /// A connection in the making, or, after advance() has returned `won`, the one that was made.
    struct Attempt {
        net::UniqueFd socket;
        net::FileShare share;
        net::Address address;
        Instant ends_at;
    };
    /// The winner; of an undecided race, the attempt that began first. Ends the race. After `lost`
    /// there is none.
    Attempt take_best() noexcept;

   private:
    void begin_next(Instant now) noexcept;

    std::vector<net::Address> addresses_;
    std::chrono::milliseconds timeout_{};
    std::size_t next_ = 0;           // of addresses_
    Instant next_at_{};              // unless all attempts fail before
    std::vector<Attempt> attempts_;  // the winner is in front
};

}  // namespace weir::upstream
