#pragma once

#include <memory>
#include <string>
#include <utility>

#include "http/client/client_connection.h"
#include "http/client/client_layer.h"
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

    /// Puts the layer around the connection.
    void secure(std::shared_ptr<http::client::ClientLayer> layer, std::string host,
                std::shared_ptr<http::client::LayerParts> parts) noexcept {
        layer_ = std::move(layer);
        host_ = std::move(host);
        parts_ = std::move(parts);
    }

    int release_socket() noexcept override { return socket_.release(); }
    std::unique_ptr<http::Connection> connect(http::Origin& origin, Now now) override {
        if (layer_) return layer_->connect(host_, std::move(parts_), std::move(line_), origin, now);
        return std::make_unique<http::client::ClientConnection>(std::move(line_), origin, limits_,
                                                                timeouts_, now);
    }

   private:
    net::UniqueFd socket_;
    std::shared_ptr<http::client::Exchanges> line_;
    const http::Limits limits_;
    const http::client::ClientTimeouts timeouts_;
    std::shared_ptr<http::client::ClientLayer> layer_;  // null: none
    std::string host_;
    std::shared_ptr<http::client::LayerParts> parts_;
};

/// Begins to connect. No descriptor: the server can't be reached, or the system has none left.
net::UniqueFd begin_to_connect(const net::Address& address) noexcept;

}  // namespace weir::upstream
