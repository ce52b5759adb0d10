#include "supervisor/notifier.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "net/clock.h"

namespace weir::supervisor {

Notifier::Notifier(std::string_view address) {
    const bool is_known = address.starts_with('/') || address.starts_with('@');
    if (!is_known || address.size() < 2 || address.size() > sizeof(sockaddr_un::sun_path)) return;
    address_ = address;
    if (address_.front() == '@') address_.front() = '\0';
    socket_.reset(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

Notifier Notifier::from_environment() {
    const char* const address = std::getenv("NOTIFY_SOCKET");
    return Notifier{address ? address : ""};
}

// systemd compares the time with that of its own request (CLOCK_MONOTONIC).
void Notifier::reloading(std::string_view status) const {
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(net::precise_time());
    send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now.count()), status);
}

void Notifier::send(std::string_view state, std::string_view status) const {
    if (!socket_) return;
    std::string text{state};
    if (!status.empty())  // the first line of it: a further line would be another variable
        text.append(text.empty() ? "STATUS=" : "\nSTATUS=").append(status, 0, status.find('\n'));
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, address_.data(), address_.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
    ::sendto(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&to), size);
}

}  // namespace weir::supervisor
