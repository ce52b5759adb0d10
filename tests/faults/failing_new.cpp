#include "faults/failing_new.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "net/mapping.h"

namespace weir::tests {
namespace {

struct State {
    std::atomic<int> left{0};  // allocations before the first that fails; 0: none is counted
    std::atomic<int> times{0};
    std::atomic<int> failed{0};
};

std::atomic<State*> state{nullptr};  // shared with the processes that are forked
thread_local bool is_spared = false;

State& shared() {
    static const auto memory = net::Mapping::among_forks(sizeof(State));
    static State& made = *std::construct_at(memory.at<State>(0));
    state.store(&made, std::memory_order_release);
    return made;
}

/// Made before any process is forked: one that is forked earlier would not share it.
const State& early = shared();

bool is_struck() noexcept {
    State* const found = state.load(std::memory_order_acquire);
    if (!found || is_spared || found->times <= 0) return false;
    if (found->left.fetch_sub(1) > 1 || found->times.fetch_sub(1) <= 0) return false;
    ++found->failed;
    return true;
}

void* allocate(std::size_t size, std::size_t alignment = 0) {
    if (is_struck()) throw std::bad_alloc{};
    void* const memory = alignment == 0
                             ? std::malloc(size)
                             : std::aligned_alloc(alignment, (size + alignment - 1) & -alignment);
    if (!memory) throw std::bad_alloc{};
    return memory;
}

}  // namespace

void FailingNew::fail(int nth, int times) {
    shared().failed = 0;
    shared().left = nth;
    shared().times = times;
}
void FailingNew::clear() { shared().times = 0; }
int FailingNew::failed() { return shared().failed; }
void FailingNew::spare_this_thread() { is_spared = true; }

FailingNew::Thread::Thread(bool spared) : before_{std::exchange(is_spared, spared)} {}
FailingNew::Thread::~Thread() { is_spared = before_; }

}  // namespace weir::tests

void* operator new(std::size_t size) { return weir::tests::allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t& /*kind*/) noexcept try {
    return weir::tests::allocate(size);
} catch (const std::bad_alloc&) {
    return nullptr;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return weir::tests::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
