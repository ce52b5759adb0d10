#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>

#include "net/mapping.h"
#include "weir/base/instant.h"

namespace weir::access {

/// A limited number of leases at a time, for a process and its forked children. A lease that was
/// not given back, because its process was killed, ends by itself. Any thread may call it; no call
/// waits for another.
class Leases {
   public:
    static constexpr std::size_t at_once_max = 32;
    static constexpr std::chrono::seconds time{15};

    struct Lease {
        std::size_t place;
        Instant::rep until;

        bool operator==(const Lease&) const = default;
    };

    /// Throws std::system_error if there is no memory to share.
    Leases();

    /// Null if too many leases are taken.
    std::optional<Lease> take(Instant now) noexcept;
    /// Does nothing if the lease has ended and another one has its place.
    void give_back(const Lease& lease) noexcept;

   private:
    using Until = std::atomic<Instant::rep>;  // 0: free

    const net::Mapping mapping_;
};

}  // namespace weir::access
