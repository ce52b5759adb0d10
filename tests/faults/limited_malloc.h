#pragma once

#include <cstddef>

namespace weir::tests {

/// Replaces malloc(3) and its like in the whole program, those of libraries that it loads among
/// them. It counts the bytes in use, and can limit them.
class LimitedMalloc {
   public:
    static std::size_t used() noexcept;
    /// Allocations fail that need more than `bytes` beyond what is in use now.
    static void leave(std::size_t bytes) noexcept;
    /// There is memory again.
    static void clear() noexcept;
};

}  // namespace weir::tests
