#include "net/descriptors.h"

#include <dirent.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>

namespace weir::net {
namespace {

struct CloseDirectory {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

/// Without /proc nobody knows: it is taken for what a server of two workers has open.
std::uint64_t count_open() noexcept {
    constexpr std::uint64_t where_unknown = 32;
    const std::unique_ptr<DIR, CloseDirectory> all{::opendir("/proc/self/fd")};
    if (!all) return where_unknown;
    constexpr std::uint64_t not_counted = 3;  // ".", "..", and the directory itself
    std::uint64_t entries = 0;
    while (::readdir(all.get())) ++entries;  // NOLINT(concurrency-mt-unsafe)
    return std::max(entries, not_counted) - not_counted;
}

}  // namespace

bool Descriptors::measure() noexcept {
    constexpr std::uint64_t for_a_moment =
        4;  // a log that is opened anew, a path that is looked at
    constexpr std::uint64_t reserve_min = 8;
    constexpr std::uint64_t reserved_part = 16;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return true;
    const std::uint64_t open = count_open();
    const std::uint64_t others = open - std::min(open, used()) + for_a_moment;
    const std::uint64_t left = limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, others);
    const auto reserve = std::max<std::uint64_t>(reserve_min, limit.rlim_cur / reserved_part);
    budget_.limit(left);
    reserve_.store(std::min(reserve, left / 2), std::memory_order_relaxed);
    static_cast<void>(missing());
    return left >= 2;
}

}  // namespace weir::net
