#include "support/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "support/incoming.h"
#include "support/time_limit.h"

namespace weir::tests {
namespace {

std::uint64_t status_value(const std::string& name) {
    std::ifstream file{"/proc/self/status"};
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1));
    throw Unexpected{"no " + name + " in /proc/self/status"};
}

std::vector<int> descriptors() {
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"})
        found.push_back(std::stoi(entry.path().filename()));
    // Leave out the descriptor of the directory itself, which is closed by now.
    std::erase_if(found, [](int fd) { return ::fcntl(fd, F_GETFD) < 0; });
    return found;
}

template <typename Condition>
bool comes_true(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + time_limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::yield();
    }
    return true;
}

/// In the stat file, the state follows the thread's name, which is in parentheses
/// (proc_pid_stat(5)). If the thread has ended, the file does not exist.
bool sleeps(const std::filesystem::path& task) {
    std::ifstream file{task / "stat"};
    std::string stat;
    if (!std::getline(file, stat)) return true;
    const auto name_end = stat.rfind(") ");
    return name_end != stat.npos && stat[name_end + 2] == 'S';
}

/// Of the processes that the thread has forked.
bool children_sleep(const std::filesystem::path& task) {
    std::ifstream file{task / "children"};
    const std::istream_iterator<std::string> children{file};
    return std::all_of(children, {}, [](const std::string& pid) {
        return sleeps(std::filesystem::path{"/proc"} / pid);
    });
}

/// The local or the remote address of a socket, as bytes to compare.
std::string name_of(int fd, int (*get)(int, sockaddr*, socklen_t*)) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (get(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0 || address.sin_family != AF_INET)
        return {};
    return std::string{reinterpret_cast<const char*>(&address.sin_addr), sizeof address.sin_addr} +
           std::to_string(address.sin_port);
}

}  // namespace

int open_descriptors() { return static_cast<int>(descriptors().size()); }

int threads() { return static_cast<int>(status_value("Threads")); }

bool threads_become(int count) {
    return comes_true([count] { return threads() == count; });
}

bool other_threads_sleep() {
    return comes_true([self = std::to_string(::gettid())] {
        const std::filesystem::directory_iterator tasks{"/proc/self/task"};
        return std::ranges::all_of(tasks, [&](const auto& task) {
            const bool is_self = task.path().filename() == self;
            return (is_self || sleeps(task.path())) && children_sleep(task.path());
        });
    });
}

std::chrono::microseconds cpu_time() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) {
        return std::chrono::seconds{time.tv_sec} + std::chrono::microseconds{time.tv_usec};
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

std::uint64_t peak_memory_bytes() { return status_value("VmHWM") * 1024; }

void reset_peak_memory() { std::ofstream{"/proc/self/clear_refs"} << "5"; }

std::optional<int> server_end_of(int client) {
    const auto name = name_of(client, ::getsockname);
    for (const int fd : descriptors())
        if (fd != client && !name.empty() && name_of(fd, ::getpeername) == name) return fd;
    return std::nullopt;
}

namespace {

bool is_client(int fd, std::span<const net::Listener> servers) {
    int type = 0, listens = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM)
        return false;
    ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size);
    const auto address = net::Address::of_socket(fd);
    return listens == 0 && std::ranges::none_of(servers, [&](const auto& server) {
               return address && address->text() == server.address().text();
           });
}

}  // namespace

void close_clients(std::span<const net::Listener> servers) {
    for (const int fd : descriptors())
        if (is_client(fd, servers)) ::dup3(STDERR_FILENO, fd, O_CLOEXEC);
}

LowDescriptorLimit::LowDescriptorLimit(rlim_t limit) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit low{limit, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &low);
}

LowDescriptorLimit::~LowDescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

FewDescriptors::FewDescriptors(int spare) {
    // The limit applies to the number of the next descriptor. With an unused number below a used one,
    // the end of the used one would leave no number that the limit allows.
    const int highest = std::ranges::max(descriptors());
    net::UniqueFd next{::dup(0)};
    for (; next && next.get() < highest; next.reset(::dup(0))) fillers_.push_back(std::move(next));
    limit_.emplace(static_cast<rlim_t>(next.get() + spare));
}

}  // namespace weir::tests
