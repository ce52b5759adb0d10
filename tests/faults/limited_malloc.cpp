#include "faults/limited_malloc.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names of glibc
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace {

constexpr std::size_t no_limit = ~std::size_t{0};

std::atomic<std::size_t> in_use{0};
std::atomic<std::size_t> limit{no_limit};

bool is_refused(std::size_t size) noexcept {
    const std::size_t most = limit;
    if (most == no_limit || in_use + size <= most) return false;
    errno = ENOMEM;
    return true;
}

void* counted(void* memory) noexcept {
    if (memory) in_use += ::malloc_usable_size(memory);
    return memory;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return is_refused(size) ? nullptr : counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) {
    return is_refused(count * size) ? nullptr : counted(__libc_calloc(count, size));
}
void* realloc(void* memory, std::size_t size) {
    const std::size_t before = memory ? ::malloc_usable_size(memory) : 0;
    if (size > before && is_refused(size)) return nullptr;  // the old bytes are in use meanwhile
    void* const moved = __libc_realloc(memory, size);
    if (!moved && size != 0) return nullptr;
    in_use -= before;
    return counted(moved);
}
void* memalign(std::size_t alignment, std::size_t size) {
    return is_refused(size) ? nullptr : counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return ::memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    *memory = ::memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
void free(void* memory) {
    if (memory) in_use -= ::malloc_usable_size(memory);
    __libc_free(memory);
}

}  // extern "C"

namespace weir::tests {

std::size_t LimitedMalloc::used() noexcept { return in_use; }
void LimitedMalloc::leave(std::size_t bytes) noexcept { limit = in_use + bytes; }
void LimitedMalloc::clear() noexcept { limit = no_limit; }

}  // namespace weir::tests
