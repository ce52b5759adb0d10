#pragma once

#include <chrono>
#include <string>

namespace weir::engines {

/// "40 ms", "1.6 s", "90 s".
inline std::string in_words(std::chrono::milliseconds time) {
    const auto count = time.count();
    if (count < 1'000) return std::to_string(count) + " ms";
    const auto tenths = count / 100 % 10;
    const auto fraction = tenths == 0 || count >= 10'000 ? "" : "." + std::to_string(tenths);
    return std::to_string(count / 1'000) + fraction + " s";
}

/// "1st", "2nd", "11th".
inline std::string ordinal(unsigned number) {
    const unsigned last = number / 10 % 10 == 1 ? 0 : number % 10;
    return std::to_string(number) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

}  // namespace weir::engines
