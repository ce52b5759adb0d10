#pragma once

#include <expected>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "net/address.h"
#include "net/listener.h"
#include "net/unique_fd.h"

namespace weir::server {

/// Duplicates of Options::given_sockets, until listeners take them.
class GivenSockets {
   public:
    static std::expected<GivenSockets, std::error_code> duplicate(std::span<const int> descriptors);

    /// Returns a listener with all sockets on this address; nothing if there is no such socket.
    /// Port 0 takes the first address with the same host.
    std::optional<std::expected<net::Listener, std::error_code>> take(const net::Address& address);
    /// True if a given socket has the same port, so that this program may bind the address although
    /// it is in use.
    bool overlap(const net::Address& address) const;

   private:
    struct Socket {
        net::Address address;
        net::UniqueFd fd;  // empty after a listener has taken it
    };
    std::vector<Socket> sockets_;
};

}  // namespace weir::server
