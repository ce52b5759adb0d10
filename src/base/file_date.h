#pragma once

#include <cstdint>

namespace weir {

/// False if the time of a file's modification says nothing about it: tools for reproducible builds
/// set 0 or 1 (SOURCE_DATE_EPOCH, Nix). HTTP dates before 1970 are not portable.
constexpr bool is_date_of_file(std::int64_t unix_seconds) noexcept { return unix_seconds > 1; }

/// A time of the system's clock, or of the clock of a file system.
struct Moment {
    std::int64_t seconds = 0;  // since 1970-01-01T00:00:00Z
    std::int64_t nanoseconds = 0;
};

/// False if a file that was changed at `changed` may change again without a change of its times:
/// the kernel's clock for files ticks only every 1 to 10 ms, and some file systems store whole
/// seconds.
constexpr bool has_settled(Moment changed, Moment now) noexcept {
    constexpr std::int64_t tick = 20'000'000;  // ns; two ticks of the slowest kernel clock
                                               // (CONFIG_HZ=100)
    constexpr std::int64_t whole_seconds = 2;  // as FAT counts them
    const std::int64_t seconds = now.seconds - changed.seconds;
    if (changed.nanoseconds == 0) return seconds > whole_seconds;
    if (seconds < 0 || seconds > 1) return seconds > 1;
    return seconds * 1'000'000'000 + now.nanoseconds - changed.nanoseconds > tick;
}

}  // namespace weir
