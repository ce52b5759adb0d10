#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include "net/address.h"
#include "net/unique_fd.h"

namespace weir::server {

/// A daemon for logs, as a test has it: a socket at a path.
class DatagramDaemon {
   public:
    explicit DatagramDaemon(const std::string& path)
        : path_{path}, fd_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)} {
        const auto address = net::Address::parse("unix:" + path, 0);
        EXPECT_TRUE(address.has_value());
        EXPECT_EQ(::bind(fd_.get(), address->data(), address->size()), 0);
    }
    ~DatagramDaemon() { ::unlink(path_.c_str()); }
    DatagramDaemon(const DatagramDaemon&) = delete;
    DatagramDaemon& operator=(const DatagramDaemon&) = delete;

    /// Waits for the next datagram.
    std::string next() { return receive(0); }
    /// The next datagram that is there; empty if there is none.
    std::string next_at_once() { return receive(MSG_DONTWAIT); }

   private:
    std::string receive(int flags) {
        std::array<char, std::size_t{1} << 17U> bytes;
        const auto size = ::recv(fd_.get(), bytes.data(), bytes.size(), flags);
        return {bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
    }

    std::string path_;
    net::UniqueFd fd_;
};

}  // namespace weir::server
