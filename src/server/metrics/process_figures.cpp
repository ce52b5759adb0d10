#include "server/metrics/process_figures.h"

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace weir::server {
namespace {

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

/// proc_pid_stat(5). The second field, the name in parentheses, may have spaces.
void add_stat(pid_t process, ProcessFigures& sum) {
    std::ifstream file{folder_of(process) + "/stat"};
    std::string line;
    std::getline(file, line, '\0');
    const std::size_t name_end = line.rfind(')');
    if (name_end == line.npos) return;
    std::istringstream rest{line.substr(name_end + 1)};
    std::string skipped;
    const auto skip = [&](int fields) {
        while (fields-- > 0) rest >> skipped;
    };
    std::uint64_t user = 0, system = 0, user_of_children = 0, system_of_children = 0;
    std::uint64_t threads = 0, bytes = 0, pages = 0;
    skip(11);  // 3 to 13
    rest >> user >> system >> user_of_children >> system_of_children;
    skip(2);  // 18 and 19
    rest >> threads;
    skip(2);  // 21 and 22
    rest >> bytes >> pages;
    const auto ticks = user + system + user_of_children + system_of_children;
    sum.cpu_seconds += static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    sum.threads += threads;
    sum.virtual_bytes += bytes;
    sum.resident_bytes += pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void add_open_files(pid_t process, ProcessFigures& sum) {
    std::error_code error;
    const std::filesystem::directory_iterator files{folder_of(process) + "/fd", error};
    if (!error)
        sum.open_files += static_cast<std::uint64_t>(std::distance(begin(files), end(files)));
}

/// proc_pid_limits(5): "Max open files            1024                 524288               files"
std::uint64_t open_files_max_of(pid_t process) {
    constexpr std::string_view name = "Max open files";
    std::ifstream file{folder_of(process) + "/limits"};
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10);
    return 0;
}

}  // namespace

ProcessFigures figures_of(pid_t process) {
    ProcessFigures sum;
    sum.open_files_max = open_files_max_of(process);
    add_stat(process, sum);
    add_open_files(process, sum);
    std::ifstream children{folder_of(process) + "/task/" + std::to_string(process) + "/children"};
    for (pid_t child = 0; children >> child;) {
        add_stat(child, sum);
        add_open_files(child, sum);
    }
    return sum;
}

}  // namespace weir::server
