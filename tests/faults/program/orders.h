#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace weir::tests {

/// Which call is to fail, and how often each was made: memory that the driver (calls.py, which knows
/// this layout), the supervisor, and all processes of the server share.
struct Orders {
    /// Set at main(): what comes before is not counted.
    std::atomic<std::uint32_t> started;
    std::atomic<std::uint32_t> server;  // its process id
    std::atomic<std::uint32_t> exited;  // its status, as waitpid(2) has it

    std::atomic<std::uint32_t> key;    // the call that is to fail; 0: none
    std::atomic<std::uint32_t> nth;    // counted from the moment that the key was set
    std::atomic<std::uint32_t> error;  // its errno
    std::atomic<std::uint32_t> met;    // how often the key was met since then
    std::atomic<std::uint32_t> hits;   // how often it was made to fail: 0 or 1

    std::atomic<std::uint32_t> listening;  // it has called listen(2)

    static constexpr std::uint32_t variants = 32;
    static constexpr std::uint32_t numbers = 1024;
    using Counts = std::array<std::atomic<std::uint32_t>, numbers * variants>;
    Counts counts;
    Counts before_listening;  // the same, as it was at the first listen(2)

    /// Counts a call; true where it is to fail.
    bool fails(std::uint32_t called) noexcept {
        if (started == 0) return false;
        ++counts[called];
        if (key != called || ++met != nth) return false;
        ++hits;
        return true;
    }

    /// At listen(2), before it counts.
    void note_listening() noexcept {
        if (listening.exchange(1) != 0) return;
        for (std::size_t i = 0; i < counts.size(); ++i) before_listening[i] = counts[i].load();
    }
};

/// An allocation counts as a call with this number. The kernel has none of it.
constexpr std::uint32_t allocation_key = (Orders::numbers - 1) * Orders::variants;

/// The descriptor of the memory, in the processes that share it. Above those that a program opens.
constexpr int orders_descriptor = 900;

}  // namespace weir::tests
