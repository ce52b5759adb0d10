#pragma once

#include <chrono>

namespace weir::tests {

/// The longest wait for an expected event. It is far longer than a loaded machine needs, so no test
/// depends on speed, and no test hangs.
inline constexpr std::chrono::milliseconds time_limit{60'000};

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

/// At the moment of a fork(2), another thread may hold the lock of AddressSanitizer's allocator.
/// The child could then never allocate memory (GCC 12). ThreadSanitizer may end a child that starts a
/// thread ("dup thread with used id"). Such builds leave out tests that fork beside other threads.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool forks_safely = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool forks_safely = false;
#else
inline constexpr bool forks_safely = true;
#endif
#else
inline constexpr bool forks_safely = true;
#endif

}  // namespace weir::tests
