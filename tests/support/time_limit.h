#pragma once

#include <chrono>

namespace weir::tests {

/// What must come, comes within this, or the test fails: far beyond what a loaded machine needs, so
/// that no test depends on speed, and none hangs.
inline constexpr std::chrono::milliseconds time_limit{20'000};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

/// AddressSanitizer's allocator may be locked by another thread at the moment of a fork(2), and then
/// is so for ever in the child (GCC 12). What forks beside threads of the test is left out there.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool forks_safely = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool forks_safely = false;
#else
inline constexpr bool forks_safely = true;
#endif
#else
inline constexpr bool forks_safely = true;
#endif

}  // namespace weir::tests
