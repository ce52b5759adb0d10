#include "net/clock.h"

#include <algorithm>
#include <ctime>
#include <limits>

namespace weir::net {

Now read_clock() noexcept {
    timespec wall;
    ::clock_gettime(CLOCK_REALTIME_COARSE, &wall);
    return {read_instant(), wall.tv_sec};
}

Instant read_instant() noexcept {
    timespec monotonic;
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &monotonic);
    return Instant{Monotonic::duration{monotonic.tv_sec * 1000 + monotonic.tv_nsec / 1'000'000}};
}

std::chrono::nanoseconds precise_time() noexcept {
    timespec time;
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

int wait_milliseconds(Instant deadline, Instant now) noexcept {
    if (deadline == never) return -1;
    if (deadline <= now) return 0;
    const auto milliseconds = (deadline - now).count();
    return static_cast<int>(std::min<std::int64_t>(milliseconds, std::numeric_limits<int>::max()));
}

}  // namespace weir::net
