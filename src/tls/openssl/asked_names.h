#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/mapping.h"

namespace weir::tls {

/// Counts the host names that clients ask for (RFC 6066 3), to find a frequent name without a
/// certificate. Keeps the most frequent names in memory of fixed size (Metwally et al., "Efficient
/// Computation of Frequent and Top-k Elements in Data Streams", 2005), which this process shares
/// with the processes that it forks. Thread-safe.
class AskedNames {
   public:
    /// Without memory, the object counts nothing.
    AskedNames();

    /// True if `name` is the most frequent one and has no certificate, if it is not the last
    /// reported name, and if no name was reported in the last hour. Then take() returns it.
    bool note(std::string_view name, bool is_covered, std::int64_t unix_seconds) noexcept;
    /// Returns the name to report, once; empty if there is none.
    std::string take();

   private:
    struct Room;
    Room* room() const noexcept;

    net::Mapping memory_;
};

}  // namespace weir::tls
