#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "weir/http/handler.h"

namespace weir::server {

/// The additions of a server with TLS to the user's handler: Strict-Transport-Security for
/// responses on connections with TLS, and a redirect for requests on connections without TLS.
class SecureHandler final : public http::Handler {
   public:
    /// `handler` must outlive this one. `hsts`: 0 adds nothing.
    SecureHandler(http::Handler& handler, std::chrono::seconds hsts);

    /// Sets the port of https. To call before the server runs.
    void port(std::uint16_t port) noexcept { port_ = port; }

    http::Reply handle(const http::Request& request) override;

   private:
    http::Response redirect(const http::Request& request) const;

    http::Handler& handler_;
    std::string hsts_;  // the field's value
    std::uint16_t port_ = 443;
};

}  // namespace weir::server
