#include "net/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace weir::net {

std::uint32_t raise_descriptor_limit() noexcept {
    constexpr std::uint32_t lowest_default = 1024;
    constexpr rlim_t most = 1U << 30;  // above any fs.nr_open
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return lowest_default;
    if (limit.rlim_cur < limit.rlim_max) {
        const rlimit raised{limit.rlim_max, limit.rlim_max};
        if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return static_cast<std::uint32_t>(std::min(limit.rlim_cur, most));
}

}  // namespace weir::net
