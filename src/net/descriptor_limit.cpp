#include "net/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace weir::net {

std::uint32_t raise_descriptor_limit() noexcept {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
    return descriptor_limit();
}

std::uint32_t descriptor_limit() noexcept {
    constexpr std::uint32_t lowest_default = 1024;
    constexpr rlim_t most = 1U << 30;  // above any fs.nr_open
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return lowest_default;
    return static_cast<std::uint32_t>(std::min(limit.rlim_cur, most));
}

}  // namespace weir::net
