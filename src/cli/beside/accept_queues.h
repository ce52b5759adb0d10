#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::cli {

/// The connections that wait in the kernel until the server accepts them.
class AcceptQueues {
   public:
    /// Adds the queues of these addresses: "127.0.0.1:8000", "[::1]:8000". The kernel has no such
    /// figure of a unix socket.
    void watch(std::span<const std::string> addresses);
    /// The length of all together; empty if there are none, or if /proc is out of reach.
    std::optional<std::uint64_t> length() const;
    /// The sum of a table, /proc/net/tcp or tcp6 (proc_pid_net(5)).
    std::uint64_t length_in(std::istream& table) const;

   private:
    std::vector<std::string> listeners_;  // as the tables have their addresses: "0100007F:1F40"
};

}  // namespace weir::cli
