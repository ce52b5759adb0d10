#include "contract/held_memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "net/mapping.h"

namespace weir::tests {
namespace {

using Most = std::atomic<std::size_t>;

std::atomic<std::size_t> held{0};
std::atomic<Most*> most{nullptr};  // shared with the processes that are forked

Most& shared() {
    static const auto memory = net::Mapping::among_forks(sizeof(Most));
    static Most& made = *std::construct_at(memory.at<Most>(0));
    most.store(&made, std::memory_order_release);
    return made;
}

/// Made before any process is forked: one that is forked earlier would not share it.
const Most& early = shared();

void raise_most(std::size_t now) noexcept {
    Most* const found = most.load(std::memory_order_acquire);
    if (!found) return;
    std::size_t before = found->load();
    while (before < now && !found->compare_exchange_weak(before, now)) {}
}

/// Null if there is no memory.
void* take(std::size_t size, std::size_t alignment) noexcept {
    void* const memory = alignment == 0
                             ? std::malloc(size)
                             : std::aligned_alloc(alignment, (size + alignment - 1) & -alignment);
    const std::size_t usable = malloc_usable_size(memory);
    raise_most(held.fetch_add(usable) + usable);
    return memory;
}

void* take_or_throw(std::size_t size, std::size_t alignment = 0) {
    if (void* const memory = take(size, alignment)) return memory;
    throw std::bad_alloc{};
}

void give(void* memory) noexcept {
    held -= malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace

std::size_t HeldMemory::bytes() noexcept { return held; }
std::size_t HeldMemory::most() noexcept { return shared(); }
void HeldMemory::forget_most() noexcept { shared() = 0; }

}  // namespace weir::tests

using weir::tests::give;
using weir::tests::take_or_throw;

void* operator new(std::size_t size) { return take_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t& /*kind*/) noexcept {
    return weir::tests::take(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return take_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { give(memory); }
void operator delete(void* memory, std::size_t) noexcept { give(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give(memory); }
