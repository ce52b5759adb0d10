#include "server/entrance/protocols.h"

#include <string_view>

#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"
#include "http/http2/prior_knowledge.h"

namespace weir::server {
namespace {

constexpr const char* http2_name = "h2";  // RFC 9113 3.1
constexpr const char* http1_name = "http/1.1";

/// `name` is the protocol that ALPN has chosen; empty if it has chosen none.
std::unique_ptr<http::Connection> speak(std::string_view name, http::Workspace& workspace,
                                        http::Origin& origin, Now now) {
    if (name == http2_name) return std::make_unique<http::Http2Connection>(workspace, origin, now);
    return std::make_unique<http::Http1Connection>(workspace, origin, now);
}

}  // namespace

http::Protocols protocols_within_tls(bool h2) {
    http::Protocols protocols{.names = {http1_name}, .make = speak};
    if (h2) protocols.names.insert(protocols.names.begin(), http2_name);  // preferred
    return protocols;
}

std::unique_ptr<http::Connection> make_plain_connection(bool h2c, http::Workspace& workspace,
                                                        http::Origin& origin, Now now) {
    if (h2c) return std::make_unique<http::PriorKnowledge>(workspace, origin, now);
    return std::make_unique<http::Http1Connection>(workspace, origin, now);
}

}  // namespace weir::server
