#include "net/clock.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>

namespace weir::net {
namespace {

std::atomic<clockid_t> monotonic_clock{CLOCK_MONOTONIC_COARSE};

}  // namespace

Now read_clock() noexcept {
    timespec wall;
    ::clock_gettime(CLOCK_REALTIME_COARSE, &wall);
    return {read_instant(), wall.tv_sec};
}

Instant read_instant() noexcept {
    timespec monotonic;
    ::clock_gettime(monotonic_clock.load(std::memory_order_relaxed), &monotonic);
    return Instant{Monotonic::duration{monotonic.tv_sec * 1'000'000 + monotonic.tv_nsec / 1'000}};
}

void use_precise_instants() noexcept {
    monotonic_clock.store(CLOCK_MONOTONIC, std::memory_order_relaxed);
}

WallTime read_wall_clock() noexcept {
    timespec wall;
    ::clock_gettime(CLOCK_REALTIME, &wall);
    return {wall.tv_sec, static_cast<std::uint32_t>(wall.tv_nsec / 1'000)};
}

std::chrono::nanoseconds precise_time() noexcept {
    timespec time;
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

int wait_milliseconds(Instant deadline, Instant now) noexcept {
    if (deadline == never) return -1;
    if (deadline <= now) return 0;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
    return static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
}

}  // namespace weir::net
