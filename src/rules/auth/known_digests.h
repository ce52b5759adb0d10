#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>

#include "rules/auth/siphash.h"
#include "weir/base/instant.h"

namespace weir::rules {

/// Remembers digests for some time: 1,024 of them at most, the latest ones. Any thread may call it.
class KnownDigests {
   public:
    static constexpr std::chrono::minutes time{5};

    void remember(const SipDigest& digest, Instant now) noexcept;
    bool knows(const SipDigest& digest, Instant now) const noexcept;

   private:
    struct Entry {
        SipDigest digest{};
        Instant until = Instant::min();
    };
    /// A digest can be in one row alone, so that looking for it takes a few comparisons.
    struct Row {
        mutable std::mutex mutex;
        std::array<Entry, 4> entries;  // guarded by the mutex
    };
    static constexpr std::size_t rows = 256;

    std::array<Row, rows> rows_;
};

}  // namespace weir::rules
