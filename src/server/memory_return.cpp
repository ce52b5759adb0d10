#include "server/memory_return.h"

#include <malloc.h>

namespace weir::server {

void MemoryReturn::give_back() noexcept {
#if defined(__GLIBC__)
    ::malloc_trim(0);
#endif
}

}  // namespace weir::server
