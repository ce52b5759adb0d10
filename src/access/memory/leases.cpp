#include "access/memory/leases.h"

#include <system_error>

#include "base/last_error.h"

namespace weir::access {

Leases::Leases() : mapping_{net::Mapping::among_forks(at_once_max * sizeof(Until))} {
    if (!mapping_) throw std::system_error{last_error(), "no memory for comparisons of passwords"};
}

std::optional<Leases::Lease> Leases::take(Instant now) noexcept {
    const auto here = now.time_since_epoch().count();
    const auto until = (now + time).time_since_epoch().count();
    for (std::size_t place = 0; place < at_once_max; ++place) {
        Until& one = *mapping_.at<Until>(place * sizeof(Until));
        Instant::rep ends = one.load();
        if ((ends == 0 || ends <= here) && one.compare_exchange_strong(ends, until))
            return Lease{.place = place, .until = until};
    }
    return std::nullopt;
}

void Leases::give_back(const Lease& lease) noexcept {
    Instant::rep ends = lease.until;
    mapping_.at<Until>(lease.place * sizeof(Until))->compare_exchange_strong(ends, 0);
}

}  // namespace weir::access
