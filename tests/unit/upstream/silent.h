#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include "net/address.h"
#include "net/unique_fd.h"
#include "support/client.h"
#include "support/time_limit.h"
#include "upstream/dial.h"

namespace weir::upstream {

inline net::Address address_of(const net::UniqueFd& socket) {
    return *net::Address::of_socket(socket.get());
}

inline net::UniqueFd listening_socket(int backlog) {
    net::UniqueFd socket = tests::bound_socket();
    EXPECT_EQ(::listen(socket.get(), backlog), 0);
    return socket;
}

/// An address that answers no attempt to connect: its queue has room for one connection, which it
/// has.
class Silent {
   public:
    Silent() {
        pollfd connected{.fd = in_queue_.get(), .events = POLLOUT, .revents = 0};
        EXPECT_EQ(::poll(&connected, 1, tests::time_limit.count()), 1);
    }
    net::Address address() const { return address_of(listener_); }

   private:
    const net::UniqueFd listener_ = listening_socket(0);
    const net::UniqueFd in_queue_ = begin_to_connect(address());
};

}  // namespace weir::upstream
