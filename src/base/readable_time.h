#pragma once

#include <chrono>
#include <string>

namespace weir {

/// Returns "40 ms", "1.6 s", "90 s".
inline std::string readable_time(std::chrono::milliseconds time) {
    const auto count = time.count();
    if (count < 1'000) return std::to_string(count) + " ms";
    const auto tenths = count / 100 % 10;
    const auto fraction = tenths == 0 || count >= 10'000 ? "" : "." + std::to_string(tenths);
    return std::to_string(count / 1'000) + fraction + " s";
}

}  // namespace weir
