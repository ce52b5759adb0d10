#include "supervisor/systemd/passed_sockets.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "net/address.h"

namespace weir::supervisor {
namespace {

using std::string_view;

constexpr int first_fd = 3;  // SD_LISTEN_FDS_START
constexpr int sockets_max = 1'024;
constexpr const char* pid_variable = "LISTEN_PID";
constexpr const char* count_variable = "LISTEN_FDS";
constexpr const char* names_variable = "LISTEN_FDNAMES";
constexpr const char* pidfd_variable = "LISTEN_PIDFDID";
constexpr string_view no_name = "unknown";  // as sd_listen_fds_with_names() has it

std::optional<int> read_number(string_view digits) {
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

PassedSockets none(std::string why) { return {.sockets = {}, .why_none = std::move(why)}; }

/// Takes the part before the next colon from `names`.
std::string take_name(string_view& names) {
    const string_view name = names.substr(0, names.find(':'));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    return std::string{name.empty() ? no_name : name};
}

/// Returns the value of an option of the socket; -1 with errno if there is none.
int option_of(int fd, int option) {
    int value = 0;
    socklen_t size = sizeof value;
    return ::getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

}  // namespace

PassedSockets read_passed_sockets(const ListenVariables& variables, pid_t own) {
    if (!variables.count) return none("LISTEN_FDS is not set");
    if (!variables.pid) return none("LISTEN_PID is not set");
    if (read_number(variables.pid) != own)
        return none("LISTEN_PID is " + std::string{variables.pid} + ", which is another process");
    const auto count = read_number(variables.count);
    if (!count || *count < 0 || *count > sockets_max)
        return none("LISTEN_FDS is '" + std::string{variables.count} + "', and no number up to " +
                    std::to_string(sockets_max));
    if (*count == 0) return none("LISTEN_FDS is 0");
    PassedSockets passed;
    string_view names = variables.names ? variables.names : "";
    for (int i = 0; i < *count; ++i)
        passed.sockets.push_back({.fd = first_fd + i, .name = take_name(names)});
    return passed;
}

// NOLINTBEGIN(concurrency-mt-unsafe): the process has one thread
PassedSockets take_passed_sockets() {
    PassedSockets passed = read_passed_sockets({.pid = std::getenv(pid_variable),
                                                .count = std::getenv(count_variable),
                                                .names = std::getenv(names_variable)},
                                               ::getpid());
    for (const char* const each : {pid_variable, count_variable, names_variable, pidfd_variable})
        ::unsetenv(each);
    for (PassedSocket& each : passed.sockets) {
        each.fault = fault_of_socket(each.fd);
        ::fcntl(each.fd, F_SETFD, FD_CLOEXEC);
    }
    return passed;
}

bool pass_on(const PassedSockets& passed) {
    if (passed.sockets.empty()) return true;
    std::string names;
    for (const PassedSocket& each : passed.sockets) {
        ::fcntl(each.fd, F_SETFD, 0);
        names.append(names.empty() ? "" : ":").append(each.name);
    }
    return ::setenv(pid_variable, std::to_string(::getpid()).c_str(), 1) == 0 &&
           ::setenv(count_variable, std::to_string(passed.sockets.size()).c_str(), 1) == 0 &&
           ::setenv(names_variable, names.c_str(), 1) == 0;
}
// NOLINTEND(concurrency-mt-unsafe)

std::string fault_of_socket(int fd) {
    const int type = option_of(fd, SO_TYPE);
    if (type < 0) return errno == EBADF ? "is not open" : "is no socket";
    const int family = option_of(fd, SO_DOMAIN);
    if (family != AF_INET && family != AF_INET6 && family != AF_UNIX)
        return "is neither an Internet socket nor a unix socket";
    if (type != SOCK_STREAM) return "is no stream socket (ListenStream=)";
    if (option_of(fd, SO_ACCEPTCONN) != 1)
        return "does not listen; the socket unit needs Accept=no, which is the default";
    const auto address = net::Address::of_socket(fd);
    if (!address || (address->is_unix() && address->path().empty()))
        return "has no path; weir serves no abstract unix sockets";
    return {};
}

}  // namespace weir::supervisor
