#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>

#include "net/mapping.h"
#include "weir/base/instant.h"

namespace weir::access {

/// So many at a time, in a process and all that it forks. A lease that was not given back, because its
/// process was killed, ends by itself. Any thread may call it; none waits for another.
class Leases {
   public:
    static constexpr std::size_t at_once_max = 32;
    static constexpr std::chrono::minutes time{1};

    /// Throws std::system_error if there is no memory to share.
    Leases();

    /// Nothing if there are too many.
    std::optional<std::size_t> take(Instant now) noexcept;
    void give_back(std::size_t lease) noexcept;

   private:
    using Until = std::atomic<Instant::rep>;  // 0: free

    const net::Mapping mapping_;
};

}  // namespace weir::access
