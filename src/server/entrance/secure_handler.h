#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "weir/http/handler.h"

namespace weir::server {

/// What a server with TLS adds to the user's handler: Strict-Transport-Security for answers on
/// connections with TLS, and a redirect for requests on those without.
class SecureHandler final : public http::Handler {
   public:
    /// The handler must outlive it. `hsts`: 0 adds nothing.
    SecureHandler(http::Handler& handler, std::chrono::seconds hsts);

    /// Before the server runs: the port of https.
    void port(std::uint16_t port) noexcept { port_ = port; }

    http::Reply handle(const http::Request& request) override;

   private:
    http::Response redirect(const http::Request& request) const;

    http::Handler& handler_;
    std::string hsts_;  // the field's value
    std::uint16_t port_ = 443;
};

}  // namespace weir::server
