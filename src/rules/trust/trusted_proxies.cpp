#include "rules/trust/trusted_proxies.h"

namespace weir::rules {

http::Reply TrustedProxies::handle(const http::Request& request) {
    if (any_contains(networks_, Peer::of(request)) && !name_client(request))
        return http::error_response(http::Status::bad_request,
                                    "The field that names the client of a proxy cannot be read");
    return inner_.handle(request);
}

/// False if the field is malformed.
bool TrustedProxies::name_client(const http::Request& request) const {
    std::string_view client;  // as far as the walk has come; empty: no further than the peer
    Hops hops{request, field_};
    while (const auto hop = hops.next()) {
        if (hop->kind == Hop::Kind::malformed) return false;
        const bool has_address = hop->kind == Hop::Kind::address;
        client = has_address ? hop->address : "unknown";
        if (!has_address || !any_contains(networks_, Peer::parse(client))) break;
    }
    if (!client.empty()) request.client_address(client);
    return true;
}

}  // namespace weir::rules
