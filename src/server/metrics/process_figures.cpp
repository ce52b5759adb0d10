#include "server/metrics/process_figures.h"

#include <dirent.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string_view>

#include "net/clock.h"
#include "net/descriptors.h"

namespace weir::server {
namespace {

net::UniqueFd open_file(const char* path, int flags) {
    return net::UniqueFd{::open(path, O_RDONLY | O_CLOEXEC | flags)};
}

/// The text of a file, in `buffer`; empty if it can't be read.
std::string_view read_text(const net::UniqueFd& file, std::span<char> buffer) {
    const ssize_t size = file ? ::pread(file.get(), buffer.data(), buffer.size(), 0) : 0;
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

/// The number with that index among words with one space between them; 0 if there is none.
std::uint64_t number_at(std::string_view text, std::size_t index) {
    for (; index > 0 && !text.empty(); --index) {
        const auto space = text.find(' ');
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    }
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// The CPU time of a process (0: of this one) by its clock, as clock_getcpuclockid(3) makes it: without the call that
/// it makes to see whether there is such a process.
double cpu_seconds_of(int process) {
    constexpr unsigned scheduled = 2;
    const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(process) << 3u) | scheduled);
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

ProcessFigures::ProcessFigures()
    : memory_{open_file("/proc/self/statm", 0)},
      times_{open_file("/proc/self/stat", 0)},
      descriptors_{open_file("/proc/self/fd", O_DIRECTORY)},
      start_unix_seconds_{static_cast<double>(net::read_clock().unix_seconds)} {}

ProcessFigures::Read ProcessFigures::read(const std::vector<int>& processes) {
    std::array<char, 128> buffer;
    const auto pages = read_text(memory_, buffer);
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    cpu_seconds_ = std::max(cpu_seconds_, read_cpu_seconds(processes));
    return {.resident_bytes = number_at(pages, 1) * page_bytes,
            .virtual_bytes = number_at(pages, 0) * page_bytes,
            .open_descriptors = count_descriptors(),
            .descriptors_max = net::descriptor_limit(),
            .cpu_seconds = cpu_seconds_,
            .start_unix_seconds = start_unix_seconds_};
}

double ProcessFigures::read_cpu_seconds(const std::vector<int>& processes) const {
    std::array<char, 1024> buffer;
    std::string_view stat = read_text(times_, buffer);
    // The name of the program stands in parentheses, and may contain spaces and parentheses.
    stat.remove_prefix(std::min(stat.size(), stat.rfind(')') + 2));
    constexpr std::size_t of_ended_user = 13, of_ended_system = 14;  // cutime, cstime
    const auto ticks = number_at(stat, of_ended_user) + number_at(stat, of_ended_system);
    constexpr int self = 0;
    double seconds = cpu_seconds_of(self) +
                     static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    for (const int process : processes) seconds += cpu_seconds_of(process);
    return seconds;
}

std::uint64_t ProcessFigures::count_descriptors() const {
    constexpr std::uint64_t dots = 2;
    alignas(dirent64) std::array<char, 4096> buffer;
    if (!descriptors_ || ::lseek(descriptors_.get(), 0, SEEK_SET) != 0) return 0;
    std::uint64_t entries = 0;
    for (;;) {
        const ssize_t size = ::getdents64(descriptors_.get(), buffer.data(), buffer.size());
        if (size <= 0) break;
        for (ssize_t at = 0; at < size; ++entries)
            at += reinterpret_cast<const dirent64*>(buffer.data() + at)->d_reclen;
    }
    return entries - std::min(entries, dots);
}

}  // namespace weir::server
