#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "weir/http/response.h"

namespace weir::web {

using http::Response;
using http::Status;

// Responses in one call. Each owns its content. Add fields with Response::add().

/// text/plain; charset=utf-8
Response text(std::string content, Status status = Status::ok);
/// text/html; charset=utf-8
Response html(std::string content, Status status = Status::ok);
/// application/json; `json` is the output of any JSON library.
Response json_text(std::string json, Status status = Status::ok);
/// Content of any media type, as "image/png". Throws std::invalid_argument if `media_type` cannot
/// be a field value.
Response content(std::string_view media_type, std::string bytes, Status status = Status::ok);

/// Borrowed content: it must live until the response was sent, as a constant does. Allocates no
/// memory.
Response text_view(std::string_view content, Status status = Status::ok) noexcept;
Response json_view(std::string_view json, Status status = Status::ok) noexcept;

/// The members of a problem (RFC 9457). Empty ones are left out.
struct Problem {
    Status status = Status::internal_server_error;
    std::string title{};     // the problem, the same each time; empty: the status's reason
    std::string detail{};    // this occurrence of it
    std::string type{};      // a URI for the kind of problem; empty means about:blank
    std::string instance{};  // a URI for this occurrence
    /// More members, as JSON without braces: "\"balance\": 30".
    std::string members{};
};
/// application/problem+json. Texts are UTF-8.
Response problem(const Problem& problem);

/// A redirect to a URI reference. Bytes that no URI has are percent-encoded, also those that a
/// browser would read as a slash or ignore. A reference that starts with "//" loses one of the
/// slashes: to lead to another host, start with a scheme. So a path from a peer leads to this host
/// if it starts with a slash. 303 has the client GET the other address; use 307 or 308 to have it
/// repeat the request.
Response redirect(std::string_view location, Status status = Status::see_other);

/// The file in its present state, from an open descriptor; sendfile(2) sends it. 404 if it cannot
/// be opened or is no regular file. `path` must not come from a peer: use site::Site for that.
/// Throws std::invalid_argument as content() does. See also resource_file(), for conditions and
/// ranges.
Response file(const std::string& path, std::string_view media_type);

/// A cookie with safe defaults (RFC 6265, and its successor's SameSite).
struct Cookie {
    std::string name{};   // a token
    std::string value{};  // without control characters, white space, `"`, `,`, `;` and `\`
    std::string path = "/";
    std::string domain{};                           // empty: this host alone
    std::optional<std::chrono::seconds> max_age{};  // nothing: until the browser closes; 0: remove
    bool secure = true;     // sent over TLS only; browsers also accept it on localhost
    bool http_only = true;  // scripts cannot read it
    enum class SameSite : unsigned char { lax, strict, none } same_site = SameSite::lax;
};
/// Adds Set-Cookie. Throws std::invalid_argument if a member breaks its rule above, and for
/// SameSite::none without `secure`, which browsers refuse.
void set_cookie(Response& response, const Cookie& cookie);

}  // namespace weir::web
