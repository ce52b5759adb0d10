#include "net/descriptors.h"

#include <dirent.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

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

/// Outside of the class, whose one instance is made before any code runs. The mutex is held for so
/// long as it takes to copy what is there, and for no call.
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

/// Files that nobody uses leave the reserve to those that somebody does.
bool Descriptors::take_for_file() noexcept {
    const bool taken = budget_.take(1) || close_files_until([this] { return budget_.take(1); });
    if (missing() != 0) close_files_until([this] { return missing() == 0; });
    return taken;
}

bool Descriptors::measure() noexcept {
    constexpr std::uint64_t for_a_moment =
        4;  // a log that is opened anew, a path that is looked at
    constexpr std::uint64_t reserve_min = 8;
    constexpr std::uint64_t reserved_part = 32;
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
