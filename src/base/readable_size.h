#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

/// Returns "734 B", "1.2 KB", "37 MB": powers of 1,000, and at least two digits for all units but
/// bytes.
inline std::string readable_size(std::uint64_t bytes) {
    constexpr std::array<std::string_view, 7> units = {" B",  " KB", " MB", " GB",
                                                       " TB", " PB", " EB"};
    std::uint64_t tenths = 0;  // of the next smaller unit
    std::size_t unit = 0;
    for (; bytes >= 1000; ++unit) {
        tenths = bytes % 1000 / 100;
        bytes /= 1000;
    }
    std::string text = std::to_string(bytes);
    if (unit > 0 && bytes < 10) text += "." + std::to_string(tenths);
    return text.append(units[unit]);
}

}  // namespace weir
