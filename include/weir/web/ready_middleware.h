#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/web/middleware.h"

namespace weir::web {

// Middleware that is ready for Routes::use(). Several threads at once call the functions that a
// program gives. They must not block.

/// Asks for a user and a password (RFC 7617). `check(user, password)` returns true if they are
/// right; compare secrets with same_secret(). Call::user() is then the user; otherwise the response
/// is a 401. Use it over TLS only. Throws std::invalid_argument if the realm has a quote or a
/// control character.
std::shared_ptr<Middleware> basic_auth(
    std::string_view realm,
    std::function<bool(std::string_view user, std::string_view password)> check);
/// Asks for a bearer token (RFC 6750). `check(token)` returns the name of the token's owner, or
/// null: a 401.
std::shared_ptr<Middleware> bearer_auth(
    std::string_view realm,
    std::function<std::optional<std::string>(std::string_view token)> check);
/// Compares in a time that depends only on the length of `given`.
bool same_secret(std::string_view given, std::string_view expected) noexcept;

/// The pages of other origins that may call, by a browser's rules (Fetch Standard, "CORS
/// protocol").
struct CorsOptions {
    /// "https://example.org"; "*": all, which excludes `credentials`.
    std::vector<std::string> origins{};
    std::vector<std::string> methods{"GET", "HEAD", "POST"};
    std::vector<std::string> headers{"Content-Type"};  // of requests; JSON needs this one
    std::vector<std::string> exposed{};  // fields that scripts may read; each response names them
    bool credentials = false;
    std::chrono::seconds max_age{600};  // how long a browser keeps the response to a preflight
};
/// Responds to preflights, and adds the fields to other responses. Throws std::invalid_argument for
/// "*" with credentials, for a text that is no origin ("null" too: any page can get that one), and
/// for values that cannot be in a field.
std::shared_ptr<Middleware> cors(const CorsOptions& options);

/// Responds with 403 if a page of another origin makes a browser send a request that may change
/// something: cross-site request forgery (CSRF). There is no token: the browser names the origin.
///
/// - GET, HEAD, OPTIONS and TRACE pass, so they must change nothing (RFC 9110 9.2.1).
/// - If the request has Sec-Fetch-Site (W3C Fetch Metadata), "same-origin" and "none" pass, and
///   other values are refused.
/// - Otherwise, if it has Origin (RFC 6454 7), its host and port must be those of the request's
///   authority; an older browser, or one without TLS, sends this field alone. The scheme does not
///   count, so a site over TLS needs SecurityHeaders::hsts as well.
/// - A request with neither field passes: no browser sent it.
///
/// `trusted` names other origins that pass, such as "https://login.example.org". For addresses that
/// every page may call, use the protection for a group without them. The refusal is a Refusal; see
/// Router::on_error(). Throws std::invalid_argument for a text that is no origin, and for "*" and
/// "null".
std::shared_ptr<Middleware> cross_origin_protection(std::vector<std::string> trusted = {});

/// Gives each request an id and a trace context: those that come with it (X-Request-Id, if it is up
/// to 128 letters, digits, hyphens, underscores and full stops; traceparent, W3C), or new random
/// ones. Each response has X-Request-Id. See Call::request_id(), trace_id() and traceparent().
std::shared_ptr<Middleware> request_ids();

/// The number of requests that one client may send: evenly `per_second`, and `burst` at once after
/// a pause (the generic cell rate algorithm).
struct RateLimitOptions {
    double per_second = 10;
    std::uint32_t burst = 20;
    /// The key of a client; empty: the peer's address, an IPv6 network of 64 bits as one.
    std::function<std::string(const Call& call)> key{};
    /// The number of clients in the table. If it is full, clients that may send a burst again are
    /// removed; if there are none, new clients share one limit.
    std::size_t clients_max = 100'000;
};
/// Responds with 429 and Retry-After past the limit. Each process of an engine with worker
/// processes counts by itself. Throws std::invalid_argument unless both rates are positive.
std::shared_ptr<Middleware> rate_limit(RateLimitOptions options);

/// Responds with 503 when a callback or a coroutine has not responded after `time`. Its stop token
/// is stopped, and a coroutine ends where it waits. If several limits are around a handler, the
/// innermost holds. The time counts anew when content has come, and not while content is awaited from
/// the peer. The time of http::Timeouts::handler holds as well. Throws std::invalid_argument if the
/// time is not positive.
std::shared_ptr<Middleware> time_limit(std::chrono::milliseconds time);

/// Responds with 413 to content of more bytes, in place of http::Limits::content_bytes_max, which
/// may be smaller or larger. Holds for content that a coroutine, or a mounted handler, reads in
/// pieces, too. If several limits are around a handler, the innermost holds, or the handler's own.
/// Throws std::invalid_argument for 0.
std::shared_ptr<Middleware> content_limit(std::uint64_t bytes);

/// Fields that switch off features which most sites do not need. Empty values are left out.
struct SecurityHeaders {
    bool no_sniff = true;  // X-Content-Type-Options
    std::string frame_options = "DENY";
    std::string referrer_policy = "strict-origin-when-cross-origin";
    std::string opener_policy = "same-origin";
    /// Depends on the pages: "default-src 'self'" suits those without foreign or inline scripts.
    std::string content_security_policy{};
    std::string permissions_policy{};
    /// Strict-Transport-Security. Only over TLS, and hard to take back.
    std::chrono::seconds hsts{0};
};
/// Adds the fields to each response that does not have them. Throws std::invalid_argument for a
/// value with a control character.
std::shared_ptr<Middleware> security_headers(SecurityHeaders headers = {});

}  // namespace weir::web
