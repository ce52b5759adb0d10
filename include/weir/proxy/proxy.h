#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"

namespace weir::http::client {
class ClientLayer;
}  // namespace weir::http::client

/// Requests that other servers answer.
namespace weir::proxy {

/// The requests below a path, and the servers that answer them.
struct Route {
    /// "/api": this path, and the paths below it. "/": every path. If several routes have the path
    /// of a request, the longest one counts. Paths are compared decoded, as a site reads them: both
    /// //api and /%61pi are /api.
    std::string path;
    /// "http://host[:port]", "https://host[:port]" or "unix:/path/of/socket"; at least one. The
    /// path of the request stays. If the URL has a path, that one takes the place of Route::path:
    /// with "http://host/", a request for /api/users asks for /users. A name that
    /// has no address yet is a 502: see Options::names_kept.
    ///
    /// Of several servers, the one with the fewest requests under way gets the next one. A server
    /// that could not be reached or trusted, or closed a connection before a response began, gets
    /// none for `pause_after_failure`, while another one can, and then fewer than its share for
    /// `slow_start`.
    std::vector<std::string> servers;

    /// True if a URL is one of https.
    bool needs_tls() const noexcept;
};

/// Reads "/api: http://127.0.0.1:3000 http://127.0.0.1:3001". Looks no name up. The error is a
/// sentence without its full stop.
std::expected<Route, std::string> parse_route(std::string_view text);

/// The path that two routes have; empty: each has its own.
std::string find_repeated(const std::vector<Route>& routes);

/// The addresses of a name, as text: "192.0.2.7", "2001:db8::7". May take seconds. The error is a
/// sentence without its full stop. May throw std::bad_alloc, and nothing else.
using LookUp =
    std::function<std::expected<std::vector<std::string>, std::string>(const std::string& name)>;

/// Asks getaddrinfo(3).
std::expected<std::vector<std::string>, std::string> look_up_by_system(const std::string& name);

struct Options {
    /// Each has another path.
    std::vector<Route> routes;
    /// Called by proxy_to(), and later on a thread of its own, which may outlive the handler.
    LookUp look_up = look_up_by_system;
    /// The addresses of a name are looked up again when a new connection is needed and they are
    /// older, and when there is a connection to none of them, but at most once a second. Requests
    /// under way stay; kept connections to other addresses than the new ones close. If a look-up
    /// fails, the addresses stay. 0: proxy_to() looks names up, once, and fails without an address.
    std::chrono::milliseconds names_kept{30'000};
    /// True: Host is that of the client. False: that of the server's URL.
    bool keeps_host = true;
    /// Until a server has accepted a connection.
    std::chrono::milliseconds connect_timeout{5'000};
    /// From the end of a request to the head of its response. Also the longest wait for one of
    /// `connections_max`: then, the request gets 503.
    std::chrono::milliseconds response_timeout{60'000};
    /// The longest time in which a server takes none of a request's bytes.
    std::chrono::milliseconds transmit_timeout{30'000};
    /// The longest pause between two requests on a connection to a server.
    std::chrono::milliseconds keep_alive{60'000};
    std::chrono::milliseconds pause_after_failure{10'000};
    /// From a tenth of its share to all of it; 0: at once.
    std::chrono::milliseconds slow_start{30'000};
    /// The most idle connections of a thread to one server.
    std::size_t kept_max = 64;
    /// The most connections of a thread to one server; 0: no limit. Further requests wait for one.
    std::size_t connections_max = 0;
    /// The most requests of a thread that wait for one server. Further ones get 503.
    std::size_t waiting_max = 10'000;
    /// The longest head of a response, in bytes. A longer one is a 502, as one of more than 100
    /// fields is.
    std::uint32_t head_bytes_max = 32 * 1024;
    /// The longest content of a request, in bytes; 0: no limit. Longer content gets 413.
    std::uint64_t content_bytes_max = 0;
    /// For URLs of https: tls::open_client() of weir-tls makes it. A server's certificate must be
    /// for the host of its URL.
    std::shared_ptr<http::client::ClientLayer> tls{};
};

/// A handler that passes requests on: see proxy_to().
class ProxyHandler : public http::Handler {
   public:
    /// The TCP ports of all servers, for sandbox::Allowed.
    virtual std::vector<std::uint16_t> ports() const = 0;
    /// True if a server has a unix socket.
    virtual bool has_unix_sockets() const = 0;
    /// The names that are looked up again.
    virtual std::vector<std::string> names() const = 0;
};

/// A handler that passes requests on to other servers by HTTP/1.1, and their responses back. It
/// gives requests that no route has to `inner`, which must outlive it. Content goes both ways as it
/// comes: neither a request nor a response is collected. A 101 makes a tunnel, for WebSocket alone.
///
/// A server gets the fields of the client without those of its connection (RFC 9110 7.6.1), and
/// with Via, X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto in place of those that the
/// client sent. A path with dot segments, a backslash or a malformed escape gets 400. A server that
/// can't be reached, can't be trusted or breaks HTTP is a 502, one that is too slow a 504. A
/// request is repeated on another connection if nothing of it was sent; if a kept connection closed
/// before a response began, or if there is another server, also if its method is idempotent and it
/// has no content (RFC 9110 9.2.2).
///
/// The engine that serves the client drives the connections to the servers, on the same thread. The
/// error is a sentence without its full stop.
std::expected<std::unique_ptr<ProxyHandler>, std::string> proxy_to(http::Handler& inner,
                                                                   Options options);

}  // namespace weir::proxy
