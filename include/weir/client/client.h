#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/client/client_error.h"
#include "weir/client/client_request.h"
#include "weir/client/client_response.h"
#include "weir/client/client_upload.h"
#include "weir/web/content_decoding.h"
#include "weir/web/task.h"

namespace weir::http::client {
class ClientLayer;
}  // namespace weir::http::client

namespace weir::web {

struct ClientOptions {
    /// Until a server has accepted a connection, for each of its addresses.
    std::chrono::milliseconds connect_timeout{5'000};
    /// From the end of a request to the head of its response. Also the longest wait for one of
    /// `connections_max`: then, the request fails as `busy`.
    std::chrono::milliseconds response_timeout{60'000};
    /// The longest pause within the content of a response, while the program waits for more of it;
    /// 0: no limit, for streams of events that come seldom.
    std::chrono::milliseconds content_timeout{300'000};
    /// The longest time in which a server takes none of a request's bytes.
    std::chrono::milliseconds transmit_timeout{30'000};
    /// The longest pause between two requests on a connection.
    std::chrono::milliseconds keep_alive{60'000};
    /// The most idle connections of a thread to one server.
    std::size_t kept_max = 64;
    /// The most connections of a thread to one server; 0: no limit. Further requests wait for one.
    std::size_t connections_max = 0;
    /// The most requests of a thread that wait for one server. Further ones fail as `busy`.
    std::size_t waiting_max = 10'000;
    /// The most redirects of one request (RFC 9110 15.4). 0: a redirect is a response as others.
    unsigned redirects_max = 10;
    /// The most bytes that ClientResponse::all() collects.
    std::uint64_t content_bytes_max = std::uint64_t{16} * 1024 * 1024;
    /// The path of a unix socket that all requests go to, whatever their URLs name:
    /// "/run/app.sock".
    std::string unix_socket{};
    /// For User-Agent, unless a request has its own. Empty: none.
    std::string user_agent{"weir"};
    /// For URLs of https: tls::open_client() of weir-tls makes it. Null: there are none.
    std::shared_ptr<http::client::ClientLayer> tls{};
    /// For compressed content: compress::decoding() of weir-compress makes it. Requests then have
    /// Accept-Encoding, and content is decoded, unless a request has its own Accept-Encoding. Null:
    /// content stays as it came, and no request asks for compressed content.
    std::shared_ptr<const ContentDecoding> decoding{};
};

/// Requests to other servers, by HTTP/1.1, from coroutines of this library.
///
///     web::Client client;
///     router.get("/weather", [&client](web::Call call) -> web::Task<web::Response> {
///         auto weather = co_await client.get("http://127.0.0.1:3000/now");
///         co_return web::text(co_await weather.all());
///     });
///
/// The engine that serves the request drives the connection to the other server, on the same
/// thread; no other thread waits, but for getaddrinfo(3), whose results are kept for 30 s. If the
/// request ends, or with_timeout() does, so does what it has asked for. Connections are kept and
/// used again. Of several addresses, the first that accepts a connection counts (RFC 8305). A
/// request is repeated on another connection if a kept one closed before anything of it was sent, or
/// before a response began and its method is idempotent (RFC 9110 9.2.2).
///
/// A redirect is followed as browsers do: after 303, and after 301 and 302 for POST, the next
/// request is a GET. At another origin, it has no Authorization and no Cookie. A redirect to
/// anything but http:// and https:// is an error. The content
/// of a response that is decoded has no Content-Encoding and no Content-Length.
///
/// A program makes one client, which its handlers borrow; it must outlive their requests. Any
/// thread may call. A program without a server runs its coroutines by server::run(). With
/// server::OwnLoop, all requests fail as `unreachable`.
class Client {
   public:
    /// Throws std::invalid_argument if `unix_socket` is longer than 107 bytes.
    explicit Client(ClientOptions options = {});
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Each waits for the head of the response. Each throws std::invalid_argument if the URL is none
    // of http, or of https with ClientOptions::tls, or has userinfo, and ClientError.

    Task<ClientResponse> get(std::string url);
    Task<ClientResponse> post(std::string url, std::string content, std::string_view media_type);
    Task<ClientResponse> send(ClientRequest request);

    /// Begins a request whose content the coroutine writes. `size`: of the content in bytes;
    /// nothing: unknown (chunked). Redirects are not followed. Throws std::invalid_argument if the
    /// request has content of its own.
    Task<ClientUpload> upload(ClientRequest request, std::optional<std::uint64_t> size = {});

    struct State;  // for this library

   private:
    std::unique_ptr<State> state_;
};

}  // namespace weir::web
