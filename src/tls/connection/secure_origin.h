#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "weir/http/origin.h"

namespace weir::tls {

/// The origin of a TLS connection, for handlers. It may outlive the connection: a request that
/// another thread handles keeps it.
class SecureOrigin final : public http::Origin, public std::enable_shared_from_this<SecureOrigin> {
   public:
    /// `engine` must live until all handlers of the connection have returned.
    SecureOrigin(http::Origin& engine, const http::Security& security)
        : engine_{engine},
          version_{security.version},
          cipher_{security.cipher},
          server_name_{security.server_name},
          is_resumed_{security.is_resumed} {
        if (!security.client_fingerprint.empty())
            client_ = std::make_unique<Client>(std::string{security.client_subject},
                                               std::string{security.client_fingerprint});
    }

    void append_address(std::string& out) const override { engine_.append_address(out); }
    std::shared_ptr<http::Postbox> postbox() override { return engine_.postbox(); }
    std::uint64_t number() const noexcept override { return engine_.number(); }
    std::uint8_t listener_kind() const noexcept override { return engine_.listener_kind(); }
    std::shared_ptr<const void> keep() const override { return shared_from_this(); }
    std::optional<http::Security> security() const override {
        http::Security security{.version = version_,
                                .cipher = cipher_,
                                .server_name = server_name_,
                                .is_resumed = is_resumed_};
        if (client_) {
            security.client_subject = client_->subject;
            security.client_fingerprint = client_->fingerprint;
        }
        return security;
    }

   private:
    struct Client {
        std::string subject;
        std::string fingerprint;
    };

    http::Origin& engine_;
    const std::string_view version_;  // static memory of OpenSSL
    const std::string_view cipher_;
    const std::string server_name_;
    std::unique_ptr<const Client> client_;  // null: the client has sent no certificate
    const bool is_resumed_;
};

}  // namespace weir::tls
