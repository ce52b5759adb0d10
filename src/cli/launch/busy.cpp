#include "cli/launch/busy.h"

#include <time.h>

namespace weir::cli {
namespace {

using std::chrono::nanoseconds;

nanoseconds thread_cpu_time() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds{time.tv_sec} + nanoseconds{time.tv_nsec};
}

/// Reading the monotonic clock takes no system call (vdso(7)).
void spin(nanoseconds amount) {
    const auto end = std::chrono::steady_clock::now() + amount;
    while (std::chrono::steady_clock::now() < end) continue;
}

}  // namespace

void keep_busy(std::chrono::microseconds amount) {
    const auto end = thread_cpu_time() + amount;
    // If another thread had the core in the meantime, some CPU time is left to use.
    for (nanoseconds left = amount; left > nanoseconds{0}; left = end - thread_cpu_time())
        spin(left);
}

}  // namespace weir::cli
