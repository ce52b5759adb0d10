#pragma once

#include <atomic>
#include <string>

namespace weir::compress {

/// A content after compression. Immutable but for its marks; shared between threads and answers.
struct Body {
    std::string bytes{};
    /// False: compression did not make the content smaller, and `bytes` is empty.
    bool is_smaller = true;

    /// Not evicted: a thread that keeps it may use it without looking for it.
    mutable std::atomic<bool> is_cached{false};
    /// Used since the cache's hand last passed. Written only when it changes, so that threads do not
    /// contend for its cache line.
    mutable std::atomic<bool> used{false};

    void mark_used() const noexcept {
        if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
    }
};

}  // namespace weir::compress
