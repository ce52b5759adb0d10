#include "net/system/memory_limit.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace weir::net {
namespace {

constexpr std::uint64_t unlimited = ~std::uint64_t{0};

std::uint64_t of_the_machine() noexcept {
    struct sysinfo info{};
    if (::sysinfo(&info) != 0) return unlimited;
    return std::uint64_t{info.totalram} * info.mem_unit;
}

std::uint64_t of_addresses() noexcept {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return limit.rlim_cur;
}

/// A file with a number, or with "max".
std::uint64_t number_in(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::uint64_t number = 0;
    return file >> number ? number : unlimited;
}

/// The process's own group: "0::/path" (cgroups(7)).
std::string own_group() {
    std::ifstream file{"/proc/self/cgroup"};
    constexpr std::string_view unified = "0::/";
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(unified)) return line.substr(unified.size());
    return {};
}

/// Each group is bound by those above it, too.
std::uint64_t of_the_groups() {
    const std::filesystem::path root{"/sys/fs/cgroup"};
    std::uint64_t least = unlimited;
    for (auto group = root / own_group();; group = group.parent_path()) {
        for (const char* const name : {"memory.max", "memory.high"})
            least = std::min(least, number_in(group / name));
        if (group == root || !group.has_relative_path()) return least;
    }
}

}  // namespace

std::uint64_t memory_limit() {
    return std::min({of_the_machine(), of_addresses(), of_the_groups()});
}

}  // namespace weir::net
