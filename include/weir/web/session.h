#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/web/call.h"
#include "weir/web/middleware.h"
#include "weir/web/response.h"
#include "weir/web/session_store.h"

namespace weir::web {

namespace detail {

/// A session during a request.
struct SessionState {
    StoredSession stored{};
    SessionChanges changes{};
    std::size_t bytes = 0;  // of the keys and the values
    std::size_t bytes_max = 0;
    bool is_known = false;  // the store has it
    bool is_left = false;   // renew() or clear() was called
};

}  // namespace detail

/// The values that a server keeps for a client between its requests. The client has a random id in
/// a cookie, and nothing else. sessions() gives each request its session:
///
///     Session& session = Session::of(call);
///     session.set("user", "ann");
///
/// A session is new and empty if the request has no cookie, or one that is unknown, malformed or
/// expired. A new session is stored, and its cookie is sent, when it has got a value.
///
/// Changes are stored when the response is there, before it is sent. They are lost if its status is
/// 500 or more, or if the peer has left. Later changes are lost, too, such as those of a stream or
/// a WebSocket. A callback must not use its session after Call::respond().
///
/// Requests of one client that run at the same time have a copy each. The last one to be stored
/// wins, key by key. If one of them calls clear() or renew(), the changes of the others are lost.
///
/// Lives as long as the request. As a Call, it is for one thread at a time.
class Session {
   public:
    /// Throws std::logic_error if no sessions() is around the handler.
    static Session& of(const Call& call);

    /// The value, or nothing. Valid until that key is set or removed, or until clear().
    std::optional<std::string_view> get(std::string_view key) const noexcept;
    /// Throws std::length_error if the session exceeds SessionOptions::bytes_max.
    void set(std::string_view key, std::string value);
    void remove(std::string_view key);
    /// Ends the session, for a logout: it leaves the store, and the cookie is removed. Values that
    /// are set later begin another one.
    void clear() noexcept;
    /// Begins another session with the same values, and ends this one. Call it when a client logs
    /// in or gets further rights: an attacker who knows the id from before has nothing then
    /// (session fixation).
    void renew() noexcept;

    /// For middleware of this library.
    explicit Session(detail::SessionState state) noexcept : state_{std::move(state)} {}
    detail::SessionState& state() noexcept { return state_; }

   private:
    detail::SessionState state_;
};

struct SessionOptions {
    /// The name of the cookie, a token. A cookie that is sent over TLS alone has "__Host-" in
    /// front, so that no other host can set it (RFC 6265bis 4.1.3.2).
    std::string cookie = "session";
    /// True: the cookie is sent over TLS alone. Nothing: if the request came over TLS. Behind a
    /// proxy that ends TLS, use true.
    std::optional<bool> secure{};
    Cookie::SameSite same_site = Cookie::SameSite::lax;
    /// False: the cookie ends with the browser. True: it lives as long as the session.
    bool outlives_browser = false;
    /// A session expires when it has not been used for this time, which counts from the last
    /// request with an accuracy of a tenth of it: not each request has to be stored.
    std::chrono::seconds idle = std::chrono::minutes{30};
    /// A session expires at this age in any case. renew() begins a new one.
    std::chrono::seconds lifetime = std::chrono::hours{12};
    /// The most bytes of the keys and the values of one session.
    std::size_t bytes_max = 16 * 1024;
    /// For tests: the time. Empty: the system's clock. Several threads call it.
    std::function<std::chrono::sys_seconds()> clock{};
};
/// Gives each request its Session. The cookie has 128 random bits; it is HttpOnly, and for all
/// paths of the host. A response that sets it has "Cache-Control: no-store", unless it says
/// otherwise. Of several sessions() around a handler, the outermost counts.
///
/// Throws std::invalid_argument if the store is null, if a time is not positive or exceeds 100
/// years, if the cookie's name is no token, and for SameSite::none unless `secure` is true.
std::shared_ptr<Middleware> sessions(std::shared_ptr<SessionStore> store,
                                     SessionOptions options = {});

}  // namespace weir::web
