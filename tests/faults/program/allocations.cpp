// A library that is loaded before all others (LD_PRELOAD): every allocation of the program asks here
// first whether it fails. Where it does not, the next allocator does the work: AddressSanitizer's,
// which goes on seeing all of it.

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#include "faults/program/orders.h"

namespace {

using weir::tests::Orders;

Orders* orders = nullptr;

std::atomic<bool> forks{false};
std::atomic<int> in_allocator{0};

/// GCC 12's AddressSanitizer does not hold the locks of its allocator across fork(2): a child would
/// wait for ever for one that another thread had. So a fork waits until no thread is in the
/// allocator, and no thread enters it meanwhile.
class InAllocator {
   public:
    InAllocator() noexcept {
        for (;;) {
            ++in_allocator;
            if (!forks) return;
            --in_allocator;
            while (forks) ::sched_yield();
        }
    }
    ~InAllocator() { --in_allocator; }
    InAllocator(const InAllocator&) = delete;
    InAllocator& operator=(const InAllocator&) = delete;
};

void before_fork() noexcept {
    forks = true;
    while (in_allocator != 0) ::sched_yield();
}

void after_fork() noexcept { forks = false; }

/// Of the threads that were about to enter, the child has none.
void after_fork_in_child() noexcept {
    in_allocator = 0;
    forks = false;
}

using Main = int(int, char**, char**);
Main* program_main = nullptr;

void* map_orders() {
    return ::mmap(nullptr, sizeof(Orders), PROT_READ | PROT_WRITE, MAP_SHARED,
                  weir::tests::orders_descriptor, 0);
}

int counted_main(int count, char** arguments, char** environment) {
    void* memory = map_orders();
    // A generation is a new program: the call that an order fails can be this one, once.
    if (memory == MAP_FAILED) memory = map_orders();
    if (memory == MAP_FAILED) ::abort();
    orders = static_cast<Orders*>(memory);
    orders->started = 1;
    ::pthread_atfork(before_fork, after_fork, after_fork_in_child);
    return program_main(count, arguments, environment);
}

/// While it is more than 0, this thread's allocations are made as they come.
[[gnu::tls_model("initial-exec")]] thread_local int spared = 0;

struct Spared {
    Spared() noexcept { ++spared; }
    ~Spared() { --spared; }
};

bool fails() noexcept {
    return orders && spared == 0 && orders->fails(weir::tests::allocation_key);
}

/// The function of this name that would have been called without this library.
template <typename Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

template <typename Result, typename... Arguments>
Result call(Result (*real)(Arguments...), std::type_identity_t<Arguments>... arguments) {
    const InAllocator in;
    return real(arguments...);
}

void* no_memory() noexcept {
    errno = ENOMEM;
    return nullptr;
}

}  // namespace

extern "C" {

// The C library's entry. What comes before main(), in other libraries' constructors, is not counted.
int __libc_start_main(Main* main, int count, char** arguments, void (*init)(), void (*fini)(),
                      void (*loader_fini)(), void* stack_end) {
    program_main = main;
    return next<decltype(__libc_start_main)>("__libc_start_main")(
        counted_main, count, arguments, init, fini, loader_fini, stack_end);
}

// AddressSanitizer asks this in each new thread, and ends the process where it fails.
int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
    const Spared spared_here;
    return next<decltype(pthread_getattr_np)>("pthread_getattr_np")(thread, attributes);
}

// The first use of a thread-local object with a destructor: glibc ends the process where it fails.
int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void* library) {
    const Spared spared_here;
    return next<decltype(__cxa_thread_atexit_impl)>("__cxa_thread_atexit_impl")(destructor, object,
                                                                                library);
}

void* malloc(std::size_t size) {
    static auto* const real = next<void*(std::size_t)>("malloc");
    return fails() ? no_memory() : call(real, size);
}

void* calloc(std::size_t count, std::size_t size) {
    static auto* const real = next<void*(std::size_t, std::size_t)>("calloc");
    return fails() ? no_memory() : call(real, count, size);
}

void* realloc(void* old, std::size_t size) {
    static auto* const real = next<void*(void*, std::size_t)>("realloc");
    return fails() ? no_memory() : call(real, old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
    static auto* const real = next<void*(std::size_t, std::size_t)>("aligned_alloc");
    return fails() ? no_memory() : call(real, alignment, size);
}

void free(void* memory) {
    static void (*real)(void*) = nullptr;  // without a guard
    static bool is_sought = false;
    // dlsym(3) frees, too: what it frees while it looks for this stays.
    if (!std::exchange(is_sought, true)) real = next<void(void*)>("free");
    if (real) call(real, memory);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
    static auto* const real = next<int(void**, std::size_t, std::size_t)>("posix_memalign");
    return fails() ? ENOMEM : call(real, out, alignment, size);
}

}  // extern "C"

// The names are those of the Itanium C++ ABI (5.1.5), by which the next one is found.

void* operator new(std::size_t size) {
    static auto* const real = next<void*(std::size_t)>("_Znwm");
    if (fails()) throw std::bad_alloc{};
    return call(real, size);
}

void* operator new[](std::size_t size) {
    static auto* const real = next<void*(std::size_t)>("_Znam");
    if (fails()) throw std::bad_alloc{};
    return call(real, size);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    static auto* const real = next<void*(std::size_t, std::align_val_t)>("_ZnwmSt11align_val_t");
    if (fails()) throw std::bad_alloc{};
    return call(real, size, alignment);
}

void* operator new[](std::size_t size, std::align_val_t alignment) {
    static auto* const real = next<void*(std::size_t, std::align_val_t)>("_ZnamSt11align_val_t");
    if (fails()) throw std::bad_alloc{};
    return call(real, size, alignment);
}

void* operator new(std::size_t size, const std::nothrow_t& none) noexcept {
    static auto* const real =
        next<void*(std::size_t, const std::nothrow_t&)>("_ZnwmRKSt9nothrow_t");
    return fails() ? nullptr : call(real, size, none);
}

void* operator new[](std::size_t size, const std::nothrow_t& none) noexcept {
    static auto* const real =
        next<void*(std::size_t, const std::nothrow_t&)>("_ZnamRKSt9nothrow_t");
    return fails() ? nullptr : call(real, size, none);
}

void operator delete(void* memory) noexcept {
    static auto* const real = next<void(void*)>("_ZdlPv");
    call(real, memory);
}

void operator delete[](void* memory) noexcept {
    static auto* const real = next<void(void*)>("_ZdaPv");
    call(real, memory);
}

void operator delete(void* memory, std::size_t size) noexcept {
    static auto* const real = next<void(void*, std::size_t)>("_ZdlPvm");
    call(real, memory, size);
}

void operator delete[](void* memory, std::size_t size) noexcept {
    static auto* const real = next<void(void*, std::size_t)>("_ZdaPvm");
    call(real, memory, size);
}

void operator delete(void* memory, std::align_val_t alignment) noexcept {
    static auto* const real = next<void(void*, std::align_val_t)>("_ZdlPvSt11align_val_t");
    call(real, memory, alignment);
}

void operator delete[](void* memory, std::align_val_t alignment) noexcept {
    static auto* const real = next<void(void*, std::align_val_t)>("_ZdaPvSt11align_val_t");
    call(real, memory, alignment);
}

void operator delete(void* memory, std::size_t size, std::align_val_t alignment) noexcept {
    static auto* const real =
        next<void(void*, std::size_t, std::align_val_t)>("_ZdlPvmSt11align_val_t");
    call(real, memory, size, alignment);
}

void operator delete[](void* memory, std::size_t size, std::align_val_t alignment) noexcept {
    static auto* const real =
        next<void(void*, std::size_t, std::align_val_t)>("_ZdaPvmSt11align_val_t");
    call(real, memory, size, alignment);
}
