#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/mapping.h"

namespace weir::tls {

/// Which host names clients ask for, and whether there is a certificate for them (RFC 6066 3). It
/// counts the most frequent ones in a room of fixed size (Metwally et al., "Efficient Computation of
/// Frequent and Top-k Elements in Data Streams", 2005), for this process and those that it forks.
/// Thread-safe.
class AskedNames {
   public:
    /// Where there is no memory, nothing is counted.
    AskedNames();

    /// True if no certificate is for the name that is asked for most, and nobody was told of that
    /// name, or of any in the last hour. Then take() has it.
    bool note(std::string_view name, bool is_covered, std::int64_t unix_seconds) noexcept;
    /// That name, once; empty if there is none.
    std::string take();

   private:
    struct Room;
    Room* room() const noexcept;

    net::Mapping memory_;
};

}  // namespace weir::tls
