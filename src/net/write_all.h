#pragma once

#include <unistd.h>

#include <cstddef>
#include <string_view>

#include "net/uninterrupted.h"

namespace weir::net {

/// Writes all bytes to a file, in as many calls of write(2) as it takes. False: errno says why not.
inline bool write_all(int fd, std::string_view bytes) noexcept {
    while (!bytes.empty()) {
        const auto size = uninterrupted([&] { return ::write(fd, bytes.data(), bytes.size()); });
        if (size < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
}

}  // namespace weir::net
