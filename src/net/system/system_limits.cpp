#include "net/system/system_limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/readable_size.h"
#include "net/descriptors.h"

namespace weir::net {
namespace {

constexpr std::uint64_t unlimited = ~std::uint64_t{0};

std::uint64_t tasks_of_groups = unlimited;

std::uint64_t soft_limit(decltype(RLIMIT_AS) kind) noexcept {
    rlimit limit{};
    if (::getrlimit(kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return limit.rlim_cur;
}

/// A file with a number, or with "max".
std::uint64_t number_in(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::uint64_t number = 0;
    return file >> number ? number : unlimited;
}

/// Each group is bound by those above it, too. In a container, its own group is often the top one,
/// whatever its path says.
std::uint64_t tasks_below(const std::filesystem::path& top, const std::string& group) {
    std::uint64_t least = number_in(top / "pids.max");
    for (auto path = top / group; path != top && path.has_relative_path();
         path = path.parent_path())
        least = std::min(least, number_in(path / "pids.max"));
    return least;
}

/// cgroups(7): "0::/path" of version 2, "8:pids:/path" of version 1.
std::uint64_t read_tasks_of_groups() {
    std::uint64_t least = unlimited;
    std::ifstream file{"/proc/self/cgroup"};
    for (std::string line; std::getline(file, line);) {
        const auto path = line.find(":/");
        const bool unified = line.starts_with("0::/");
        if (path == line.npos || (!unified && !line.contains(":pids:/"))) continue;
        least = std::min(least, tasks_below(unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids",
                                            line.substr(path + 2)));
    }
    return least;
}

std::string of_memory() {
    const auto bytes = std::min(soft_limit(RLIMIT_AS), soft_limit(RLIMIT_DATA));
    if (bytes == unlimited) return {};
    return "the limit on memory is " + readable_size(bytes) +
           "; raise it with ulimit -v and ulimit -d, or LimitAS= and LimitDATA= in the unit";
}

/// A thread needs memory for its stack, and pthread_create(3) says EAGAIN for that, too. Where memory
/// is limited, and threads hardly are, memory it is.
std::string of_tasks() {
    constexpr std::uint64_t hardly = 4096;
    const auto tasks = std::min(soft_limit(RLIMIT_NPROC), tasks_of_groups);
    auto memory = of_memory();
    if (tasks > hardly && !memory.empty()) return memory;
    const std::string number = tasks == unlimited ? "is reached" : "is " + std::to_string(tasks);
    return "the limit on threads and processes " + number +
           "; raise it with ulimit -u, LimitNPROC= or TasksMax= in the unit, or --pids-limit of a "
           "container" +
           (memory.empty() ? "" : "; or " + memory);
}

}  // namespace

void read_system_limits() {
    static const bool is_read = [] {
        tasks_of_groups = read_tasks_of_groups();
        return true;
    }();
    static_cast<void>(is_read);
}

std::string more_descriptors() {
    constexpr std::uint32_t enough = 1024, times = 16, most = 1U << 20;  // fs.nr_open
    const auto limit = descriptor_limit();
    const auto more = std::to_string(limit < enough ? enough : std::min(most, limit * times));
    return "ulimit -n " + more + " (as root), or LimitNOFILE=" + more + " in the unit";
}

std::string limit_behind(const std::error_code& error) {
    switch (error.value()) {  // in any category: Asio's own has the numbers of errno, too
        case EMFILE:
            return "the limit on open files is " + std::to_string(descriptor_limit()) +
                   "; raise it with " + more_descriptors();
        case ENFILE: return "the system has no open file left; raise fs.file-max (sysctl)";
        case EAGAIN: return of_tasks();
        case ENOMEM: {
            auto memory = of_memory();
            return memory.empty() ? "no memory is left; MemoryMax= in the unit, or --memory of a "
                                    "container, may limit it"
                                  : memory;
        }
        case EFBIG:
            return soft_limit(RLIMIT_FSIZE) == unlimited
                       ? ""
                       : "the limit on the size of a file is " +
                             readable_size(soft_limit(RLIMIT_FSIZE)) +
                             "; raise it with ulimit -f, or LimitFSIZE= in the unit";
        default: return {};
    }
}

std::string with_limit(const std::string& what, const std::error_code& error) {
    const auto limit = limit_behind(error);
    return limit.empty() ? what : what + ": " + limit;
}

}  // namespace weir::net
