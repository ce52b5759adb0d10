#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "weir/http/origin.h"

namespace weir::server {

/// The origin of a connection that a proxy has made for a client: it has the client's address. It may
/// outlive the connection: a request that is handled on another thread keeps it.
class ProxiedOrigin final : public http::Origin,
                            public std::enable_shared_from_this<ProxiedOrigin> {
   public:
    /// `engine` stays until all handlers of the connection have returned.
    ProxiedOrigin(http::Origin& engine, std::string address) noexcept
        : engine_{engine}, address_{std::move(address)} {}

    void append_address(std::string& out) const override { out += address_; }
    std::shared_ptr<http::Postbox> postbox() override { return engine_.postbox(); }
    std::uint64_t number() const noexcept override { return engine_.number(); }
    std::uint8_t entrance() const noexcept override { return engine_.entrance(); }
    std::optional<http::Security> security() const override { return engine_.security(); }
    std::shared_ptr<const void> keep() const override { return shared_from_this(); }

   private:
    http::Origin& engine_;
    const std::string address_;
};

}  // namespace weir::server
