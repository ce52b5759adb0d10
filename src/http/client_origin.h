#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "weir/http/origin.h"

namespace weir::http {

/// The origin of a request, or of a whole connection, that a proxy has passed on. It has the
/// client's address. It may outlive the connection: a request that another thread handles keeps it.
class ClientOrigin final : public Origin, public std::enable_shared_from_this<ClientOrigin> {
   public:
    /// `proxy` must live until all handlers of the connection have returned.
    ClientOrigin(Origin& proxy, std::string address) noexcept
        : proxy_{proxy}, kept_{proxy.keep()}, address_{std::move(address)} {}

    /// The proxy says whether the client's connection is encrypted.
    void note_security(bool is_secure) const noexcept { is_secure_ = is_secure; }
    bool is_secure() const noexcept;

    void append_address(std::string& out) const override { out += address_; }
    std::shared_ptr<Postbox> postbox() override { return proxy_.postbox(); }
    std::uint64_t number() const noexcept override { return proxy_.number(); }
    std::uint8_t listener_kind() const noexcept override { return proxy_.listener_kind(); }
    std::optional<Security> security() const override { return proxy_.security(); }
    std::shared_ptr<const void> keep() const override { return shared_from_this(); }

   private:
    Origin& proxy_;
    const std::shared_ptr<const void> kept_;
    const std::string address_;
    mutable std::optional<bool> is_secure_;  // mutable as the origin of a request is
};

/// True if the client has asked by https: the trusted proxy says so, or else the connection itself
/// is encrypted.
inline bool is_secure(const Origin& origin) noexcept {
    const auto* const client = dynamic_cast<const ClientOrigin*>(&origin);
    return client != nullptr ? client->is_secure() : origin.security().has_value();
}

inline bool ClientOrigin::is_secure() const noexcept {
    return is_secure_ ? *is_secure_ : http::is_secure(proxy_);
}

}  // namespace weir::http
