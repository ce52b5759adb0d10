#pragma once

#include <random>
#include <string>

#include "base/hexadecimal.h"

namespace weir {

/// Returns a boundary for multipart content. The content must not contain it; 128 random bits make
/// this certain enough, so no search of the content is needed.
inline std::string random_boundary() {
    std::random_device random;
    std::string boundary;
    for (int word = 0; word < 4; ++word)
        for (unsigned bits = random(), digit = 0; digit < 8; ++digit, bits >>= 4u)
            boundary += hex_digits[bits & 0xfu];
    return boundary;
}

}  // namespace weir
