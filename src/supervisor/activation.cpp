#include "supervisor/activation.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <ranges>
#include <string_view>

#include "net/address.h"
#include "supervisor/program.h"

namespace weir::supervisor {
namespace {

constexpr int first_descriptor = 3;  // SD_LISTEN_FDS_START
constexpr long descriptors_max = 1'024;

std::string take_variable(const char* name) {
    const char* const value = std::getenv(name);
    std::string text{value ? value : ""};
    remove_variable(name);
    return text;
}

/// -1 if the text is no number.
long number_in(std::string_view text) {
    long number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? number : -1;
}

std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    for (const auto name : std::views::split(text, ':')) names.emplace_back(std::string_view{name});
    return names;
}

bool is_stream(int socket) {
    int type = 0;
    socklen_t size = sizeof type;
    return ::getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

}  // namespace

std::string address_text(int socket) {
    const auto address = net::Address::of_socket(socket);
    if (!address) return {};
    const bool is_internet = address->family() == AF_INET || address->family() == AF_INET6;
    if (is_internet ? address->port() == 0 : address->path().empty()) return {};
    return address->text();
}

std::vector<Activated> take_activated(std::vector<std::string>& complaints) {
    const long pid = number_in(take_variable("LISTEN_PID"));
    const long count = number_in(take_variable("LISTEN_FDS"));
    const auto names = names_in(take_variable("LISTEN_FDNAMES"));
    std::vector<Activated> sockets;
    if (pid != ::getpid() || count > descriptors_max) return sockets;
    for (int index = 0; index < count; ++index) {
        const int fd = first_descriptor + index;
        ::fcntl(fd, F_SETFD, FD_CLOEXEC);
        const auto at = static_cast<std::size_t>(index);
        if (is_stream(fd) && !address_text(fd).empty())
            sockets.push_back(
                {.fd = fd, .redirects = at < names.size() && names[at] == "redirect"});
        else
            complaints.push_back("descriptor " + std::to_string(fd) +
                                 " from systemd is no stream socket with an address: not used");
    }
    return sockets;
}

}  // namespace weir::supervisor
