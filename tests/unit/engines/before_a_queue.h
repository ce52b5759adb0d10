#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstddef>
#include <vector>

#include "net/listener.h"

namespace weir::engines {

/// A listener on loopback, and clients that wait in its queue.
class BeforeAQueue : public ::testing::Test {
   protected:
    void queue(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            clients_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            const auto& address = listener.address();
            ASSERT_EQ(::connect(clients_.back().get(), address.data(), address.size()), 0);
        }
    }

    net::Listener listener = net::Listener::open(*net::Address::parse("127.0.0.1", 0)).value();

   private:
    std::vector<net::UniqueFd> clients_;
};

}  // namespace weir::engines
