#pragma once

#include <memory>

#include "http/layer.h"
#include "http/workspace.h"
#include "weir/http/connection.h"

namespace weir::server {

/// The protocols that ALPN may choose (RFC 7301), with HTTP/2 or without.
http::Protocols protocols_within_tls(bool h2);

/// A connection without TLS; `h2c`: the peer may begin with HTTP/2.
std::unique_ptr<http::Connection> make_plain_connection(bool h2c, http::Workspace& workspace,
                                                        http::Origin& origin, Now now);

}  // namespace weir::server
