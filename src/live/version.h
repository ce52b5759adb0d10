#pragma once

#include <cstdint>
#include <string>

#include "base/hexadecimal.h"

namespace weir::live {

/// The version of the files below a root. The same files have the same version in each process, and
/// after a restart.
struct Version {
    std::uint32_t pages = 0;   // changes with any file but a style sheet
    std::uint32_t styles = 0;  // changes with any style sheet

    bool operator==(const Version&) const = default;

    /// 16 hexadecimal digits, with a hyphen in the middle.
    std::string text() const {
        std::string out;
        for (const std::uint32_t part : {pages, styles}) {
            if (!out.empty()) out += '-';
            for (unsigned shift = 32; shift > 0; shift -= 8)
                append_hex_byte(out, static_cast<unsigned char>(part >> (shift - 8)));
        }
        return out;
    }
};

}  // namespace weir::live
