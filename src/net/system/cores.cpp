#include "net/system/cores.h"

#include <algorithm>

#include "base/last_error.h"

namespace weir::net {
namespace {

// 0 stands for the calling thread (sched_setaffinity(2)).
bool read_cores(cpu_set_t& cores) noexcept {
    return ::sched_getaffinity(0, sizeof cores, &cores) == 0;
}

bool use_cores(const cpu_set_t& cores) noexcept {
    return ::sched_setaffinity(0, sizeof cores, &cores) == 0;
}

cpu_set_t only_nth(const cpu_set_t& cores, unsigned n) noexcept {
    unsigned before = n % static_cast<unsigned>(std::max(CPU_COUNT(&cores), 1));
    std::size_t core = 0;
    while (core < CPU_SETSIZE && (!CPU_ISSET(core, &cores) || before-- > 0)) ++core;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    return only;
}

}  // namespace

unsigned count_cores() noexcept {
    cpu_set_t cores;
    return read_cores(cores) ? static_cast<unsigned>(std::max(CPU_COUNT(&cores), 1)) : 1;
}

std::error_code check_pinning() noexcept {
    cpu_set_t cores;
    if (read_cores(cores) && use_cores(cores)) return {};
    return last_error();
}

PinnedToCore::PinnedToCore(bool wanted, unsigned n) noexcept {
    if (wanted && read_cores(before_)) pinned_ = use_cores(only_nth(before_, n));
}

PinnedToCore::~PinnedToCore() {
    if (pinned_) use_cores(before_);
}

}  // namespace weir::net
