#include "server/memory_return.h"

#include <malloc.h>

namespace weir::server {

void keep_freed_memory() noexcept {
#if defined(__GLIBC__)
    constexpr int bytes = 32 << 20;
    constexpr int mapped_from = 1 << 20;  // larger blocks are mapped and unmapped (mallopt(3))
    // NOLINTBEGIN(concurrency-mt-unsafe): there are no threads yet
    ::mallopt(M_TRIM_THRESHOLD, bytes);
    ::mallopt(M_MMAP_THRESHOLD, mapped_from);
    // NOLINTEND(concurrency-mt-unsafe)
#endif
}

void MemoryReturn::give_back() noexcept {
#if defined(__GLIBC__)
    ::malloc_trim(0);
#endif
}

}  // namespace weir::server
