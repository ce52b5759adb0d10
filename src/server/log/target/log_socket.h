#pragma once

#include <atomic>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>

#include "net/address.h"
#include "net/unique_fd.h"
#include "server/log/target/log_destination.h"
#include "server/log/target/log_file.h"
#include "weir/base/now.h"

namespace weir::server {

/// The socket of a daemon for logs, syslog or the journal: each line is a datagram. A datagram has
/// the daemon's path, so lines find a daemon that was restarted. Only one thread may use an object.
class LogSocket {
   public:
    /// Makes a socket for lines to this daemon. An error if no daemon reads there. To call before
    /// the process enters a sandbox, which allows no further socket.
    static std::expected<net::UniqueFd, std::error_code> open(const LogDestination& to);

    /// `shared`: a socket of open(), which several processes may use at once; the object makes a
    /// descriptor of its own for it.
    LogSocket(const LogDestination& to, std::string name, int shared);

    /// Sends each line of `bytes`, without its line feed; a zero byte becomes a line feed. Stops
    /// after an error, or if the daemon takes nothing for half a second after `stopping` was set.
    /// The size in the result is that of whole lines.
    LogFile::Written write(std::string_view bytes, const std::atomic<bool>& stopping);

    /// From now on, lines that the daemon does not take at once are dropped.
    void wait_for_nobody() noexcept { give_up_at_ = Instant::min(); }

    /// The name for messages.
    const std::string& name() const noexcept { return name_; }

   private:
    bool send(const std::atomic<bool>& stopping) noexcept;
    bool may_wait(const std::atomic<bool>& stopping) noexcept;

    net::Address address_;
    std::string name_;
    net::UniqueFd fd_;
    std::string datagram_;        // keeps its memory
    Instant give_up_at_ = never;  // set when a stop begins to wait
};

}  // namespace weir::server
