#pragma once

#include <memory>
#include <utility>

#include "http/client/client_connection.h"
#include "net/address.h"
#include "net/unique_fd.h"
#include "weir/http/limits.h"
#include "weir/http/origin.h"

namespace weir::upstream {

/// A socket that connects, for the engine that is to drive it.
class Dial final : public http::Outbound {
   public:
    Dial(net::UniqueFd socket, std::shared_ptr<http::client::Exchanges> line,
         const http::Limits& limits, const http::client::ClientTimeouts& timeouts) noexcept
        : socket_{std::move(socket)},
          line_{std::move(line)},
          limits_{limits},
          timeouts_{timeouts} {}

    int release_socket() noexcept override { return socket_.release(); }
    std::unique_ptr<http::Connection> connect(http::Origin& origin, Now now) override {
        return std::make_unique<http::client::ClientConnection>(std::move(line_), origin, limits_,
                                                                timeouts_, now);
    }

   private:
    net::UniqueFd socket_;
    std::shared_ptr<http::client::Exchanges> line_;
    const http::Limits limits_;
    const http::client::ClientTimeouts timeouts_;
};

/// Begins to connect. No descriptor: the server can't be reached, or the system has none left.
net::UniqueFd begin_to_connect(const net::Address& address) noexcept;

}  // namespace weir::upstream
