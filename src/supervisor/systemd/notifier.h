#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <expected>
#include <string>
#include <string_view>

#include "net/unique_fd.h"

namespace weir::supervisor {

/// Tells systemd the state of the service: datagrams of lines such as "READY=1" to the socket in
/// NOTIFY_SOCKET. sd_notify(3). The socket is connected at the start, because a process in the
/// sandbox may not open one.
class Notifier {
   public:
    Notifier() = default;  // sends nothing
    /// `place` is the path of a unix socket, or '@' and an abstract name. The error is a sentence.
    static std::expected<Notifier, std::string> open(std::string_view place);

    /// Goes on with a socket that another program of this process has connected; -1: sends nothing.
    static Notifier adopt(int socket) noexcept {
        return socket < 0 ? Notifier{} : Notifier{net::UniqueFd{socket}, ::getpid()};
    }
    int fd() const noexcept { return socket_.get(); }

    // The functions below are async-signal-safe, and keep errno; any thread may call them. In a
    // forked process they do nothing: systemd listens to the service's main process alone.

    /// Sends lines, each "NAME=VALUE", with a line feed between them. Waits a second at most.
    void send(std::string_view lines) const noexcept;
    /// Sends RELOADING=1, and the time that Type=notify-reload needs.
    void tell_reloading() const noexcept;
    bool is_on() const noexcept { return static_cast<bool>(socket_); }

   private:
    Notifier(net::UniqueFd socket, pid_t owner) noexcept
        : socket_{std::move(socket)}, owner_{owner} {}

    net::UniqueFd socket_{};
    pid_t owner_ = 0;
};

/// Returns "STATUS=" and the first line of `text`, which systemctl status shows.
std::string status_line(std::string_view text);

/// Reads NOTIFY_SOCKET, and removes it, so that no child speaks for the service. Returns a
/// notifier that sends nothing if the variable is not set. To call while the process has one
/// thread.
std::expected<Notifier, std::string> take_notifier();

}  // namespace weir::supervisor
