#pragma once

#include <atomic>
#include <string>

namespace weir::compress {

/// A content after compression. Immutable except for its marks; shared between threads and
/// responses.
struct Body {
    std::string bytes{};
    /// False: compression did not make the content smaller, and `bytes` is empty, unless the client
    /// refused uncompressed content.
    bool is_smaller = true;

    /// True until the cache evicts it: a thread that keeps the body may use it without a look-up.
    mutable std::atomic<bool> is_cached{false};
    /// True if used since the cache's hand last passed. Written only if it changes, so that threads
    /// do not contend for its cache line.
    mutable std::atomic<bool> used{false};

    void mark_used() const noexcept {
        if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
    }
};

}  // namespace weir::compress
