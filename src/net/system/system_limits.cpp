#include "net/system/system_limits.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "base/readable_size.h"
#include "net/descriptors.h"
#include "net/ring/ring.h"
#include "net/system/resource_limits.h"

namespace weir::net {
namespace {

std::uint64_t tasks_of_groups = unlimited;

std::string of_memory() {
    const auto bytes = std::min(soft_limit(RLIMIT_AS), soft_limit(RLIMIT_DATA));
    if (bytes == unlimited) return {};
    return "the limit on memory is " + readable_size(bytes) +
           "; raise it with ulimit -v and ulimit -d, or LimitAS= and LimitDATA= in the unit";
}

/// A thread needs memory for its stack, and pthread_create(3) returns EAGAIN also if there is none.
/// So the function blames memory if memory is limited and the limit on threads is high.
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
        tasks_of_groups = control_group_limit("pids", {"pids.max"});
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
    switch (error.value()) {  // of any category: Asio's category has the numbers of errno, too
        case EMFILE:
            return "the limit on open files is " + std::to_string(descriptor_limit()) +
                   "; raise it with " + more_descriptors();
        case ENFILE: return "the system has no open file left; raise fs.file-max (sysctl)";
        case EAGAIN: return of_tasks();
        case ENOMEM: {
            auto memory = of_memory();
            if (error.category() == ring_category()) return memory;  // its message names the other
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
