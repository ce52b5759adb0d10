#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/unique_fd.h"

namespace weir::supervisor {

/// Tells systemd how the service is doing (sd_notify(3)): a datagram of lines to the socket that
/// NOTIFY_SOCKET names. Without the variable, it says nothing. A message that the socket does not take
/// is lost: a service must not wait for its manager.
class Notifier {
   public:
    /// `address` as in NOTIFY_SOCKET: a path, or "@name" in the abstract namespace. Empty: none.
    explicit Notifier(std::string_view address);
    static Notifier from_environment();

    /// It serves. `status` is what systemctl status shows.
    void ready(std::string_view status) const { send("READY=1", status); }
    /// It reads its configuration anew; ready() ends that.
    void reloading(std::string_view status) const;
    void stopping(std::string_view status) const { send("STOPPING=1", status); }
    void say(std::string_view status) const { send({}, status); }
    void watchdog() const { send("WATCHDOG=1", {}); }

   private:
    void send(std::string_view state, std::string_view status) const;

    std::string address_;
    net::UniqueFd socket_;
};

}  // namespace weir::supervisor
