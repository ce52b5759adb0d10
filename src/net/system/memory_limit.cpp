#include "net/system/memory_limit.h"

#include <sys/sysinfo.h>

#include <algorithm>

#include "net/system/resource_limits.h"

namespace weir::net {
namespace {

std::uint64_t of_the_machine() noexcept {
    struct sysinfo info{};
    if (::sysinfo(&info) != 0) return unlimited;
    return std::uint64_t{info.totalram} * info.mem_unit;
}

}  // namespace

std::uint64_t memory_limit() {
    return std::min(
        {of_the_machine(), soft_limit(RLIMIT_AS),
         control_group_limit("memory", {"memory.max", "memory.high", "memory.limit_in_bytes"})});
}

}  // namespace weir::net
