#pragma once

#include <sys/random.h>

#include <cstddef>
#include <span>
#include <string>
#include <system_error>

#include "base/last_error.h"

namespace weir {

/// Fills the bytes, 256 at most, with random numbers for secrets. getrandom(2) gives so many whole.
/// Throws std::system_error if the system has no random numbers.
inline void fill_random(std::span<std::byte> bytes) {
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::system_error{last_error(), "no random numbers"};
}

/// The same as a text.
inline std::string random_bytes(std::size_t size) {
    std::string bytes(size, '\0');
    fill_random(std::as_writable_bytes(std::span{bytes}));
    return bytes;
}

}  // namespace weir
