#pragma once

#include <string>
#include <string_view>

#include "http/client/exchange.h"
#include "upstream/target.h"
#include "weir/http/request.h"

namespace weir::proxy {

/// The request as another server gets it. `below` is the part of its path that a route has;
/// `keeps_host`: with the client's Host. The request is not at the end of its Max-Forwards.
http::client::Outgoing request_out(const http::Request& request, const upstream::Target& target,
                                   std::string_view below, bool keeps_host);

}  // namespace weir::proxy
