#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "access/memory/siphash.h"
#include "net/mapping.h"
#include "weir/base/instant.h"

namespace weir::access {

/// A memory of digests: 1,024 of them at most, the latest ones, for some time. It lies in memory
/// that the process shares with its forked children. Any thread may call it; no call waits for
/// another.
class Verified {
   public:
    static constexpr std::chrono::minutes time{5};

    /// Throws std::system_error if there is no memory to share.
    Verified();

    void remember(const SipDigest& digest, Instant now) noexcept;
    bool knows(const SipDigest& digest, Instant now) const noexcept;

   private:
    /// If two processes write an entry at once, it may be half of each: a digest that no
    /// credentials have.
    struct Entry {
        std::atomic<std::uint64_t> first, second;
        std::atomic<Instant::rep> until;  // 0: free
    };
    /// A digest can be in one row only, so that a look-up takes a few comparisons.
    static constexpr std::size_t rows = 256;
    static constexpr std::size_t row_entries = 4;

    Entry& entry_at(const SipDigest& digest, std::size_t number) const noexcept;

    const net::Mapping mapping_;
};

}  // namespace weir::access
