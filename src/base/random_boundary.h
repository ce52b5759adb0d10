#pragma once

#include <random>
#include <string>

#include "base/hexadecimal.h"

namespace weir {

/// A boundary for multipart content, which must not occur in that. Nobody can guess 128 random bits,
/// so the content need not be searched.
inline std::string random_boundary() {
    std::random_device random;
    std::string boundary;
    for (int word = 0; word < 4; ++word)
        for (unsigned bits = random(), digit = 0; digit < 8; ++digit, bits >>= 4u)
            boundary += hex_digits[bits & 0xfu];
    return boundary;
}

}  // namespace weir
