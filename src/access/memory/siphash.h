#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weir::access {

/// A secret of this process.
struct SipKey {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    /// Throws std::system_error if the system gives no random numbers.
    static SipKey random();
};

using SipDigest = std::array<std::uint64_t, 2>;

/// SipHash-2-4 with 128 bits (Aumasson, Bernstein: "SipHash: a fast short-input PRF"). Without the
/// key, an attacker learns nothing of the bytes, and finds no others with the same digest.
SipDigest siphash(const SipKey& key, std::string_view bytes) noexcept;

}  // namespace weir::access
