#include "net/descriptors.h"

#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace weir::net {
namespace {

/// Counts the open descriptors below `limit`: others don't count towards the limit. Uses poll(2),
/// which works without /proc. At the start of a program, open descriptors have low numbers, so the
/// function tests only the first 16,384.
std::uint64_t count_open(std::uint32_t limit) noexcept {
    constexpr std::uint32_t at_once = 1024;
    constexpr std::uint32_t looked_at_max = 16 * at_once;
    std::array<pollfd, at_once> some;
    std::uint64_t open = 0;
    for (std::uint32_t first = 0; first < std::min(limit, looked_at_max); first += at_once) {
        const std::uint32_t count = std::min(limit - first, at_once);
        for (std::uint32_t i = 0; i < count; ++i) some[i] = {static_cast<int>(first + i), 0, 0};
        if (::poll(some.data(), count, 0) < 0) break;
        open += static_cast<std::uint64_t>(
            std::count_if(some.begin(), some.begin() + count,
                          [](const pollfd& each) { return (each.revents & POLLNVAL) == 0; }));
    }
    return open;
}

/// The owners stand outside of Descriptors, whose one instance is made before any code runs. A
/// thread holds the mutex while it changes or copies `all`, and during no call of an owner.
struct Owners {
    std::mutex mutex;
    std::vector<std::weak_ptr<FileOwner>> all;
};
Owners& owners() {
    static Owners& only = *new Owners;  // never destroyed: files may be closed at exit
    return only;
}

}  // namespace

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

void Descriptors::join(std::weak_ptr<FileOwner> owner) {
    const std::scoped_lock lock{owners().mutex};
    std::erase_if(owners().all, [](const auto& each) { return each.expired(); });
    owners().all.push_back(std::move(owner));
}

bool Descriptors::close_a_file() noexcept try {
    const auto all = [] {
        const std::scoped_lock lock{owners().mutex};
        return owners().all;
    }();
    return std::ranges::any_of(all, [](const auto& each) {
        const auto owner = each.lock();
        return owner && owner->close_a_file();
    });
} catch (const std::bad_alloc&) {
    return false;
}

bool Descriptors::close_files_until(const std::function<bool()>& is_enough) {
    while (close_a_file())
        if (is_enough()) return true;
    return false;
}

/// Closes unused files if the reserve is not whole: the reserve is for files in use.
bool Descriptors::take_for_file() noexcept {
    const bool taken = budget_.take(1) || close_files_until([this] { return budget_.take(1); });
    if (missing() != 0) close_files_until([this] { return missing() == 0; });
    return taken;
}

bool Descriptors::measure() noexcept {
    constexpr std::uint64_t for_a_moment =
        4;  // for short uses: the server opens a log again, or examines a path
    constexpr std::uint64_t reserve_min = 8;
    constexpr std::uint64_t reserved_part = 32;
    const std::uint32_t limit = descriptor_limit();
    const std::uint64_t open = count_open(limit);
    const std::uint64_t others = open - std::min(open, used()) + for_a_moment;
    const std::uint64_t left = limit - std::min<std::uint64_t>(limit, others);
    const auto reserve = std::max<std::uint64_t>(reserve_min, limit / reserved_part);
    budget_.limit(left);
    reserve_.store(std::min(reserve, left / 2), std::memory_order_relaxed);
    static_cast<void>(missing());
    return left >= 2;
}

}  // namespace weir::net
