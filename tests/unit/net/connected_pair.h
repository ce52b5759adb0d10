#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>

#include "net/unique_fd.h"

namespace weir::net {

/// Two stream sockets that are connected to each other.
struct Pair {
    UniqueFd here, there;
};
inline Pair connected_pair() {
    std::array<int, 2> fds{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
    return {UniqueFd{fds[0]}, UniqueFd{fds[1]}};
}

}  // namespace weir::net
