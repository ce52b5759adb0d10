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

/// Duplicates of the sockets that a program was given (Options::given_sockets), until listeners take
/// them.
class GivenSockets {
   public:
    static std::expected<GivenSockets, std::error_code> duplicate(std::span<const int> descriptors);

    /// A listener that has all sockets on this address; nothing if there is none. Port 0 takes the
    /// first address with the same host.
    std::optional<std::expected<net::Listener, std::error_code>> take(const net::Address& address);
    /// Whether a socket that was given has the same port: then the address is free for this program
    /// alone, although it is taken.
    bool overlap(const net::Address& address) const;

   private:
    struct Socket {
        net::Address address;
        net::UniqueFd fd;  // none, once it is taken
    };
    std::vector<Socket> sockets_;
};

}  // namespace weir::server
