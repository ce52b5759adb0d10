#include "access/memory/leases.h"

#include <system_error>

#include "base/last_error.h"

namespace weir::access {

Leases::Leases() : mapping_{net::Mapping::among_forks(at_once_max * sizeof(Until))} {
    if (!mapping_) throw std::system_error{last_error(), "no memory for comparisons of passwords"};
}

std::optional<std::size_t> Leases::take(Instant now) noexcept {
    const auto here = now.time_since_epoch().count();
    const auto until = (now + time).time_since_epoch().count();
    for (std::size_t lease = 0; lease < at_once_max; ++lease) {
        Until& one = *mapping_.at<Until>(lease * sizeof(Until));
        Instant::rep ends = one.load();
        if ((ends == 0 || ends <= here) && one.compare_exchange_strong(ends, until)) return lease;
    }
    return std::nullopt;
}

void Leases::give_back(std::size_t lease) noexcept {
    mapping_.at<Until>(lease * sizeof(Until))->store(0);
}

}  // namespace weir::access
