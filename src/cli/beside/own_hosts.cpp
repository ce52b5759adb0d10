#include "cli/beside/own_hosts.h"

#include <string_view>

#include "net/address.h"
#include "rules/moves/host_name.h"
#include "weir/http/response.h"

namespace weir::cli {
namespace {

/// HTTP/1.0 may have none, and no browser speaks it.
bool is_own(std::string_view authority) {
    const rules::HostName name{authority};
    const std::string_view host = name.text();
    return authority.empty() || host == "localhost" || host.ends_with(".localhost") ||
           net::Address::parse(host, 0);
}

}  // namespace

http::Reply OwnHosts::handle(const http::Request& request) {
    if (is_own(request.authority())) return behind_.handle(request);
    constexpr auto misdirected = static_cast<http::Status>(421);
    return http::error_response(misdirected,
                                "A page of another site can have this host lead here (DNS "
                                "rebinding); ask for an IP address or localhost");
}

}  // namespace weir::cli
