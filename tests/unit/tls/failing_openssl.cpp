#include "unit/tls/failing_openssl.h"

#include <openssl/crypto.h>

#include <cstddef>
#include <cstdlib>

namespace weir::tls {
namespace {

/// The allocation after so many others fails; 0: none does.
long allocations_left = 0;
bool is_done = false;

bool fails() noexcept {
    if (allocations_left == 0 || --allocations_left > 0) return false;
    return is_done = true;
}

void* allocate(std::size_t size, const char*, int) { return fails() ? nullptr : std::malloc(size); }
void* reallocate(void* old, std::size_t size, const char*, int) {
    return fails() ? nullptr : std::realloc(old, size);
}
void release(void* block, const char*, int) { std::free(block); }

const bool is_counted = CRYPTO_set_mem_functions(allocate, reallocate, release) == 1;

}  // namespace

bool FailingOpenSsl::is_in_use() noexcept { return is_counted; }
void FailingOpenSsl::fail(long nth) noexcept {
    allocations_left = nth;
    is_done = false;
}
void FailingOpenSsl::clear() noexcept { allocations_left = 0; }
bool FailingOpenSsl::has_failed() noexcept { return is_done; }

}  // namespace weir::tls
