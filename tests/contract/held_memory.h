#pragma once

#include <cstddef>

namespace weir::tests {

/// Counts the bytes of operator new, which is replaced in the whole program. Processes that are
/// forked count on.
class HeldMemory {
   public:
    /// Of this process.
    static std::size_t bytes() noexcept;
    /// The most since the last forget_most(), of the process that held most.
    static std::size_t most() noexcept;
    static void forget_most() noexcept;
};

}  // namespace weir::tests
