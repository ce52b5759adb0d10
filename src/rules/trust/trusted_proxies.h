#pragma once

#include <utility>
#include <vector>

#include "rules/access/network.h"
#include "rules/trust/hops.h"
#include "weir/http/handler.h"

namespace weir::rules {

/// Believes proxies of some networks what they say of their clients. For a request of such a proxy,
/// Request::append_client_address() is the address that the field names: from the last element on,
/// past those that are trusted proxies themselves. A request whose field cannot be read there is
/// answered 400: a client could otherwise pass for the proxy. Where the proxies hide the client, its
/// address is "unknown", which no network contains.
class TrustedProxies final : public http::Handler {
   public:
    /// `inner` must outlive it.
    TrustedProxies(std::vector<Network> networks, ForwardedField field, http::Handler& inner)
        : networks_{std::move(networks)}, field_{field}, inner_{inner} {}

    http::Reply handle(const http::Request& request) override;

   private:
    bool name_client(const http::Request& request) const;

    const std::vector<Network> networks_;
    const ForwardedField field_;
    http::Handler& inner_;
};

}  // namespace weir::rules
